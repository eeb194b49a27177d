import { InvalidArgumentError } from 'commander';

/** Reads a number above some other from the command line. */
export function numberAbove(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isFinite(number) || number <= least)
      throw new InvalidArgumentError(`It is a number above ${least}.`);
    return number;
  };
}
