import { element } from './page.js';

const TYPING = 1000;
const field = () => element<HTMLInputElement>('go-to');

/** Makes the field say which day is shown. */
export function showDate(date: string): void {
  // The same value would interrupt who is typing it.
  if (field().value !== date) field().value = date;
}

/** Tells of each day that is picked, and of one that is typed when it has been typed to its end. */
export function watchDate(changed: (date: string) => void): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let isTyped = false;
  const now = () => {
    clearTimeout(waiting);
    waiting = undefined;
    isTyped = false;
    // Years that are being typed begin with zeros.
    if (/^[1-9]\d{3}-\d\d-\d\d$/.test(field().value)) changed(field().value);
  };
  field().addEventListener('keydown', ({ key }) => {
    isTyped = true;
    if (key === 'Enter' && waiting !== undefined) now();
  });
  field().addEventListener('change', () => {
    clearTimeout(waiting);
    if (isTyped) waiting = setTimeout(now, TYPING);
    else now();
  });
  field().addEventListener('blur', () => waiting !== undefined && now());
}
