import { FieldRow, idOf } from '../fields.js';
import type { Draft, InputProps } from '../model.js';
import { Parts } from './parts.js';

/** The members of an object, each with its own input. */
export function ObjectInput(props: InputProps) {
  const { prefix, value, error, at = '', onChange } = props;
  const { members = [] } = props.field;
  const [first, ...rest] = at.split('.');
  const drafts = value as Readonly<Record<string, Draft>>;
  return (
    <Parts {...props} notes={props.children}>
      {members.map(({ member, field }) => {
        return (
          <FieldRow
            key={idOf(prefix, field.name)}
            field={field}
            prefix={prefix}
            row={undefined}
            values={{ [field.name]: drafts[member] ?? '' }}
            error={first === member ? error : undefined}
            at={rest.length > 0 ? rest.join('.') : undefined}
            onChange={(changed) => onChange({ ...drafts, [member]: changed as Draft })}
          />
        );
      })}
    </Parts>
  );
}
