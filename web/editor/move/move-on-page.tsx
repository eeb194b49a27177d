import { useRef } from 'preact/hooks';
import { TEXTS } from '../catalogue.js';
import type { Resource, Row } from '../model.js';
import { useShell } from '../shell.js';
import { mayMove, useMoveDialog } from './move-dialog.js';

/** Moves the event of a page; `show` shows the record that the event has then, read again. */
export function useMoveOnPage(resource: Resource, show: (id: number) => void) {
  const shell = useShell();
  const isDone = useRef(false);
  const mover = useMoveDialog(resource, ({ id }) => {
    isDone.current = true;
    show(id);
  });
  /** The form with the button is another one after a move: its button has the focus again. */
  const focusAgain = (button: HTMLButtonElement | null) => {
    if (!button || !isDone.current || document.activeElement !== document.body) return;
    isDone.current = false;
    button.focus();
  };
  const open = (row: Row) => (shell.isUnsaved() ? shell.complain(TEXTS.form.saveFirst) : mover.open(row));
  return {
    dialog: mover.dialog,
    button: (row: Row) =>
      mayMove(shell.session, shell.settings, resource, row) && (
        <button type="button" ref={focusAgain} onClick={() => open(row)}>
          {TEXTS.move.open}
        </button>
      ),
  };
}
