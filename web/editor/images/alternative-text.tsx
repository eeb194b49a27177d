import { useState } from 'preact/hooks';
import { TEXTS } from '../catalogue.js';
import { messageOf } from '../problem.js';
import { useShell } from '../shell.js';

const T = TEXTS.images;

interface AlternativeTextProps {
  id: string;
  /** The number of the image. */
  image: string;
  stored: string;
}

/** The alternative text of an image, which is saved at once: other records have the image, too. */
export function AlternativeText({ id, image, stored }: AlternativeTextProps) {
  const { session, say, complain } = useShell();
  const [saved, setSaved] = useState(stored);
  const [text, setText] = useState(stored);
  async function save() {
    if (text === saved) return;
    // The key Enter saves, and leaving the field after it does not again.
    setSaved(text);
    try {
      await session.describe(image, text);
      say(T.altSaved);
    } catch (error) {
      setSaved(saved);
      complain(messageOf(error));
    }
  }
  return (
    <>
      <label for={id}>{T.altText}</label>
      <input
        id={id}
        type="text"
        dir={text === '' ? undefined : 'auto'}
        autocomplete="off"
        aria-describedby={`${id}-help`}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={save}
        // Enter would save the whole form.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          save();
        }}
      />
      <p class="help" id={`${id}-help`}>
        {T.altHelp}
      </p>
    </>
  );
}
