import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { TEXTS } from './catalogue.js';
import type { Question } from './shell.js';

/** A dialog over the page; the browser keeps the focus in it and gives it back. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

/** Asks a question with two answers; the one that loses nothing has the focus. */
export function Ask({ question, onAnswer }: { question: Question; onAnswer: (yes: boolean) => void }) {
  return (
    <Dialog title={question.title} onClose={() => onAnswer(false)}>
      <p class="question">{question.text}</p>
      <div class="actions">
        <button type="button" autofocus onClick={() => onAnswer(false)}>
          {question.no ?? TEXTS.frame.cancel}
        </button>
        <button
          type="button"
          class={question.isDangerous ? 'primary danger' : 'primary'}
          onClick={() => onAnswer(true)}
        >
          {question.yes}
        </button>
      </div>
    </Dialog>
  );
}
