import type { ComponentChildren } from 'preact';
import { idOf, Required } from '../fields.js';
import type { InputProps } from '../model.js';

type PartsProps = Pick<InputProps, 'field' | 'prefix' | 'describedBy' | 'isInvalid'> & {
  /** What is wrong and what helps, then the inputs. */
  notes: ComponentChildren;
  children: ComponentChildren;
};

/** Several inputs that make one value. */
export function Parts({ field, prefix, describedBy, isInvalid, notes, children }: PartsProps) {
  return (
    <fieldset
      class={isInvalid ? 'field parts invalid' : 'field parts'}
      id={idOf(prefix, field.name)}
      tabIndex={-1}
      aria-describedby={describedBy}
    >
      <legend>
        {field.label}
        {field.required && <Required />}
      </legend>
      {notes}
      {children}
    </fieldset>
  );
}
