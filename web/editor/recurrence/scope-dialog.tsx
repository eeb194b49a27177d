import type { Scope } from 'almanac-client';
import { useState } from 'preact/hooks';
import { TEXTS } from '../catalogue.js';
import { Dialog } from '../dialogs.js';
import type { ScopeQuestion } from '../shell.js';

/** The question as a dialog; Escape gives up. */
export function AskScope({
  question: { title, yes, isDangerous, choices },
  onAnswer,
}: {
  question: ScopeQuestion;
  onAnswer: (scope?: Scope) => void;
}) {
  const first = choices.find(({ isOff }) => !isOff)?.scope;
  const [scope, setScope] = useState(first);
  return (
    <Dialog title={title} onClose={() => onAnswer()}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onAnswer(scope);
        }}
      >
        <fieldset class="field scopes">
          <legend class="unseen">{TEXTS.form.whichDates}</legend>
          {choices.map(({ scope: one, label, hint, isOff }) => (
            <div class="field flag" key={one}>
              <input
                id={`scope-${one}`}
                type="radio"
                name="scope"
                value={one}
                checked={one === scope}
                disabled={isOff}
                autofocus={one === first}
                aria-describedby={hint && `scope-${one}-hint`}
                onChange={() => setScope(one)}
              />
              <label for={`scope-${one}`}>{label}</label>
              {hint && (
                <p class="help" id={`scope-${one}-hint`}>
                  {hint}
                </p>
              )}
            </div>
          ))}
        </fieldset>
        <div class="actions">
          <button type="button" onClick={() => onAnswer()}>
            {TEXTS.frame.cancel}
          </button>
          <button type="submit" class={isDangerous ? 'primary danger' : 'primary'}>
            {yes}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
