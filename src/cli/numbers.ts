import { InvalidArgumentError } from 'commander';

/** Reads a number above some other from the command line. */
export function above(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isFinite(number) || number <= least)
      throw new InvalidArgumentError(`It is a number above ${least}.`);
    return number;
  };
}

/** Reads a whole number above 0. */
export function whole(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It is a whole number above 0.');
  return Number(text);
}

/** Reads a port; 0 is a free one. */
export function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw new InvalidArgumentError('It is a port.');
  return Number(text);
}
