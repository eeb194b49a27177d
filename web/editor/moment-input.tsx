import { fill } from '../../src/pages/texts/fill.js';
import { TEXTS } from './catalogue.js';

interface MomentProps {
  id: string;
  describedBy: string;
  isInvalid: boolean;
  label: string;
  /** `YYYY-MM-DDTHH:MM`, where either half may be empty. */
  value: string;
  /** Whether it has no time. */
  isDay: boolean;
  onChange: (value: string) => void;
}

/** The inputs of a day and a time. */
export function MomentInput({ id, describedBy, isInvalid, label, value, isDay, onChange }: MomentProps) {
  const [day = '', time = ''] = value.split('T');
  const common = { 'aria-describedby': describedBy, 'aria-invalid': isInvalid };
  const join = (newDay: string, newTime: string) =>
    onChange(newDay === '' && newTime === '' ? '' : `${newDay}T${newTime}`);
  return (
    <div class="moment">
      <input
        {...common}
        id={id}
        type="date"
        aria-label={fill(TEXTS.form.day, { label })}
        max="9999-12-31"
        value={day}
        onInput={(event) => join(event.currentTarget.value, time)}
      />
      {!isDay && (
        <input
          {...common}
          type="time"
          aria-label={fill(TEXTS.form.time, { label })}
          value={time}
          onInput={(event) => join(day, event.currentTarget.value)}
        />
      )}
    </div>
  );
}
