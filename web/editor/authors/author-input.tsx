import { TEXTS } from '../catalogue.js';
import type { Choice, InputProps, Row } from '../model.js';
import { Picker } from '../picker.js';
import { useAuthorName } from './author-names.js';

const NONE: readonly Choice[] = [];

/** The author of a record, chosen by name; the value is the user's id as text. */
export function AuthorInput({
  field,
  prefix,
  value,
  describedBy,
  isInvalid,
  onChange,
  children,
}: InputProps) {
  const author = Number(value);
  const id = `${prefix}-${field.name}`;
  const label = useAuthorName(author) ?? numbered(author);
  return (
    <div class="field">
      <label for={id}>{field.label}</label>
      <Picker
        id={id}
        of="authors"
        many={false}
        value={author > 0 ? [{ id: author, label }] : NONE}
        describedBy={describedBy}
        isInvalid={isInvalid}
        onChange={([choice]) => onChange(choice ? String(choice.id) : '')}
      />
      {children}
    </div>
  );
}

/** The author of a row by name. */
export const authorCell = (row: Row) => <AuthorName author={Number(row['author'])} />;

function AuthorName({ author }: { author: number }) {
  const name = useAuthorName(author);
  return <span dir="auto">{name ?? (author > 0 ? numbered(author) : '')}</span>;
}

const numbered = (author: number): string => TEXTS.authors.number.replace('{n}', String(author));
