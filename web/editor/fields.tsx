import { TEXTS } from './catalogue.js';
import { NUMBERS } from './checks.js';
import { ImageChoice } from './images/image-choice.js';
import { type Choice, type Field, isWholeDay, type Row, type Value, type Values } from './model.js';
import { MomentInput } from './moment-input.js';
import { Picker } from './picker.js';
import { RecurrencePicker } from './recurrence/recurrence-picker.js';
import { DescriptionInput } from './rich-text/description-input.js';
import { useShell } from './shell.js';
import { ZONES, zoneNamed } from './zones.js';

/** Where a field stands on the page; forms over other forms have a prefix of their own. */
export const idOf = (prefix: string, name: string) => `${prefix}-${name}`;

interface FieldProps {
  field: Field;
  prefix: string;
  row: Row | undefined;
  values: Values;
  error?: string;
  /** Path of what the error is about inside the field. */
  at?: string;
  warning?: string;
  /** Something that mends what is wrong. */
  mend?: { label: string; do: () => void };
  onChange: (value: Value) => void;
  /** Moves the start of an event to wall seconds. */
  onMove?: (start: number) => void;
}

/** One field: its label, its input, what helps and what is wrong. */
export function FieldRow({
  field,
  prefix,
  row,
  values,
  error: said,
  at,
  warning,
  mend,
  onChange,
  onMove,
}: FieldProps) {
  const { name, label, kind, help, required, input: Special } = field;
  const isInside = Special !== undefined && at !== undefined;
  const error = isInside ? undefined : said;
  const id = idOf(prefix, name);
  const describedBy = [help && `${id}-help`, error && `${id}-error`, warning && `${id}-warning`]
    .filter(Boolean)
    .join(' ');
  const input = { id, describedBy, isInvalid: error !== undefined };
  const notes = (
    <>
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          <bdi>{error}</bdi>
        </p>
      )}
      {warning && !error && (
        <p class="warning" id={`${id}-warning`}>
          {warning}
        </p>
      )}
      {mend && (
        <button type="button" class="small" onClick={mend.do}>
          {mend.label}
        </button>
      )}
    </>
  );
  const value = values[name] ?? '';
  if (Special)
    return (
      <Special
        field={field}
        prefix={prefix}
        value={value}
        error={isInside ? said : undefined}
        at={at}
        describedBy={describedBy}
        isInvalid={input.isInvalid}
        onChange={onChange}
      >
        {notes}
      </Special>
    );
  if (kind === 'flag')
    return (
      <div class="field flag">
        <input
          id={id}
          type="checkbox"
          checked={value === true}
          aria-describedby={describedBy}
          aria-invalid={error !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <label for={id}>{label}</label>
        {notes}
      </div>
    );
  if (kind === 'recurrence')
    return (
      <div class="field recurrence">
        <label for={id}>{label}</label>
        <RecurrencePicker
          {...input}
          values={values}
          row={row}
          onChange={onChange}
          onMove={(start) => onMove?.(start)}
        />
        {notes}
      </div>
    );
  if (kind === 'rich')
    return (
      <DescriptionInput {...input} label={label} rows={field.rows} value={String(value)} onChange={onChange}>
        {notes}
      </DescriptionInput>
    );
  if (kind === 'moment')
    return (
      <fieldset class="field">
        <legend>
          {label}
          {required && <Required />}
        </legend>
        <MomentInput
          {...input}
          label={label}
          value={String(value)}
          isDay={isWholeDay(name, values)}
          onChange={onChange}
        />
        {notes}
      </fieldset>
    );
  return (
    <div class="field">
      {kind === 'image' && <ImageChoice id={id} value={String(value)} row={row} onChange={onChange} />}
      <label for={id}>
        {label}
        {required && <Required />}
      </label>
      <Input field={field} row={row} value={value} onChange={onChange} {...input} />
      {notes}
    </div>
  );
}

/** Marks what must be filled in. */
export const Required = () => <span class="required"> {TEXTS.form.required}</span>;

/** Texts have a direction of their own; an empty input that of the page. */
const directionOf = (text: string) => (text === '' ? undefined : 'auto');

interface InputProps {
  id: string;
  describedBy: string;
  isInvalid: boolean;
  onChange: (value: Value) => void;
}

function Input({
  field,
  row,
  value,
  id,
  describedBy,
  isInvalid,
  onChange,
}: InputProps & { field: Field; row: Row | undefined; value: Value }) {
  const { session } = useShell();
  const common = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid,
    'aria-required': field.required,
  };
  const { kind, of, many = false } = field;
  if (kind === 'choices' && of)
    return (
      <Picker
        id={id}
        of={of}
        many={many}
        without={many ? undefined : row?.id}
        value={value as readonly Choice[]}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onChange={onChange}
      />
    );
  const text = String(value);
  if (kind === 'area')
    return (
      <textarea
        {...common}
        dir={directionOf(text)}
        rows={field.rows}
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    );
  if (kind === 'zone')
    return (
      <>
        <input
          {...common}
          list={`${id}-zones`}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => onChange(zoneNamed(event.currentTarget.value))}
        />
        <datalist id={`${id}-zones`}>
          {ZONES.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </>
    );
  if (kind === 'select') {
    const offered = field.options?.(session, row) ?? [];
    const options = offered.some(([one]) => one === text) ? offered : [[text, text] as const, ...offered];
    return (
      <select {...common} value={text} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([one, label]) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const type = field.type && field.type in NUMBERS ? 'text' : field.type;
  return (
    <>
      <input
        {...common}
        type={type ?? 'text'}
        dir={directionOf(text)}
        inputMode={field.type === 'number' ? 'numeric' : undefined}
        autocomplete="off"
        value={text}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
