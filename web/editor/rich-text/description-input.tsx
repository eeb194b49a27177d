import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { TEXTS } from '../catalogue.js';

interface DescriptionProps {
  id: string;
  label: string;
  /** Of the HTML, in lines. */
  rows?: number;
  value: string;
  describedBy: string;
  isInvalid: boolean;
  onChange: (value: string) => void;
  children: ComponentChildren;
}

/** A description: formatted text where the editor keeps all of it, else HTML as it is stored. */
export function DescriptionInput(props: DescriptionProps) {
  const { id, label, rows, value: text, describedBy, isInvalid, onChange, children } = props;
  const [module, setModule] = useState<typeof import('./rich-text.js')>();
  /** Undefined until the editor is loaded and has looked at the text. */
  const [isHtml, setHtml] = useState<boolean>();
  const [isUnfaithful, setUnfaithful] = useState(false);
  /** Counts the texts that came from outside: each begins another editor. */
  const [version, setVersion] = useState(0);
  /** The texts that were typed here and are on their way back as the value, the last one at the end. */
  const typed = useRef<string[]>([]);

  useEffect(() => {
    import('./rich-text.js').then(setModule, () => setHtml(true));
  }, []);
  useEffect(() => {
    if (!module) return;
    const at = typed.current.indexOf(text);
    if (at >= 0) return void typed.current.splice(0, at);
    typed.current = [text];
    setVersion((count) => count + 1);
    show(module.isFaithful(text));
  }, [module, text]);

  function show(isFaithful: boolean) {
    setUnfaithful(!isFaithful);
    setHtml(!isFaithful);
  }
  function change(to: string) {
    typed.current.push(to);
    onChange(to);
  }

  const labelId = `${id}-label`;
  return (
    <div class="field">
      <label id={labelId} for={id}>
        {label}
      </label>
      {isHtml && (
        <textarea
          id={id}
          dir="auto"
          rows={rows}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      {isHtml === undefined && <div class="rich-text waiting" aria-busy="true" />}
      {isHtml === false && module && (
        <module.RichText
          key={version}
          id={id}
          labelledBy={labelId}
          describedBy={describedBy}
          isInvalid={isInvalid}
          given={text}
          onChange={change}
        />
      )}
      {isHtml && isUnfaithful && <p class="help">{TEXTS.richText.unfaithful}</p>}
      {children}
      {module && (
        <button
          type="button"
          class="small"
          onClick={() => (isHtml ? show(module.isFaithful(text)) : setHtml(true))}
        >
          {isHtml ? TEXTS.richText.asText : TEXTS.richText.asHtml}
        </button>
      )}
    </div>
  );
}
