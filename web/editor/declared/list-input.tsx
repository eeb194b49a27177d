import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import { FieldRow } from '../fields.js';
import type { Draft, InputProps } from '../model.js';
import { useShell } from '../shell.js';
import { sentItems } from './drafts.js';
import { Parts } from './parts.js';

const T = TEXTS.fields;

/** The items of a list, which can be added and removed. */
export function ListInput(props: InputProps) {
  const { field, prefix, value, error, at = '', onChange } = props;
  const { items } = field;
  const { say } = useShell();
  const list = useRef<HTMLOListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const isAdded = useRef(false);
  // Whoever signs in again may see more fields than before.
  const rows = Array.isArray(value) ? (value as readonly Draft[]) : [];
  const [position = '', ...rest] = at.split('.');
  // The server counts the items that it was sent.
  const faulty = error === undefined ? undefined : sentItems(rows)[Number(position)]?.row;

  useEffect(() => {
    if (isAdded.current) list.current?.lastElementChild?.querySelector<HTMLElement>(INPUTS)?.focus();
    isAdded.current = false;
  }, [rows.length]);

  function remove(row: number, label: string) {
    onChange(rows.filter((_, other) => other !== row));
    say(fill(T.removed, { label }));
    add.current?.focus();
  }

  if (!items) return null;
  return (
    <Parts {...props} notes={props.children}>
      <ol class="items" ref={list}>
        {rows.map((draft, row) => {
          const own = items.fieldAt(row);
          return (
            <li key={own.name}>
              <FieldRow
                field={own}
                prefix={prefix}
                row={undefined}
                values={{ [own.name]: draft }}
                error={row === faulty ? error : undefined}
                at={rest.length > 0 ? rest.join('.') : undefined}
                onChange={(changed) => onChange(rows.with(row, changed as Draft))}
              />
              <button
                type="button"
                class="small"
                aria-label={fill(T.removeItem, { label: own.label })}
                onClick={() => remove(row, own.label)}
              >
                {T.remove}
              </button>
            </li>
          );
        })}
      </ol>
      <button
        type="button"
        class="small"
        ref={add}
        aria-label={fill(T.addTo, { label: field.label })}
        aria-disabled={rows.length >= items.most}
        onClick={() => {
          if (rows.length >= items.most) return say(fill(T.full, { label: field.label, n: items.most }));
          isAdded.current = true;
          onChange([...rows, items.blank]);
        }}
      >
        {T.add}
      </button>
    </Parts>
  );
}

const INPUTS = 'input, select, textarea, button';
