import {
  IsDefined,
  IsInt,
  IsOptional,
  IsString,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  validate,
} from 'class-validator';
import { passesChecks } from '../../src/http/params/class-checks.js';

const Later = (passes: boolean) =>
  ValidateBy({ name: 'later', validator: { validate: async () => passes } }, { groups: ['asked'] });

class Plain {
  @IsInt({ groups: ['asked'] }) @Min(2, { groups: ['asked'] }) number?: unknown;
  @Later(true) right?: unknown;
  @Later(false) wrong?: unknown;
  @IsString() outside?: unknown;
}

class Derived extends Plain {
  @IsString({ groups: ['asked'] }) own?: unknown;
}

class Seat {
  @IsInt({ groups: ['asked'] }) row?: unknown;
}

class Other {
  @IsString({ groups: ['asked'], each: true }) texts?: unknown;
  @ValidateNested({ groups: ['asked'] }) seat?: unknown;
  @IsOptional({ groups: ['asked'] }) @IsInt({ groups: ['asked'] }) maybe?: unknown;
  @ValidateIf(() => false, { groups: ['asked'] }) @IsInt({ groups: ['asked'] }) never?: unknown;
}

class Needed {
  @IsDefined({ groups: ['asked'] }) value?: unknown;
}

class Unchecked {
  value?: unknown;
}

const ROUNDS = [
  { groups: ['asked'], skipMissingProperties: true, stopAtFirstError: true },
  { groups: ['asked'], skipUndefinedProperties: true },
  { strictGroups: true, skipMissingProperties: true },
];

const GIVEN: [type: new () => object, values: object][] = [
  [Plain, {}],
  [Plain, { number: 2, right: 1, outside: 'x' }],
  [Plain, { number: null }],
  [Plain, { number: 1 }],
  [Plain, { number: 'x' }],
  [Plain, { number: 2, wrong: 1 }],
  [Plain, { wrong: 1, number: 'x' }],
  [Plain, { outside: 5 }],
  [Derived, { number: 2, own: 'x' }],
  [Derived, { number: 2, own: 5 }],
  [Derived, { number: 1, own: 'x' }],
  [Other, {}],
  [Other, { texts: ['a', 5] }],
  [Other, { seat: Object.assign(new Seat(), { row: 'x' }) }],
  [Other, { maybe: 'x' }],
  [Needed, {}],
  [Needed, { value: null }],
  [Unchecked, { value: 1 }],
];

/** Whether class-validator finds nothing; that nothing was asked is no finding. */
async function isSound(values: object, round: object): Promise<boolean> {
  const errors = await validate(values, round);
  return errors.every(({ property }) => property === undefined);
}

describe('the checks of a class', () => {
  it('pass what class-validator passes, and nothing else', async () => {
    const differing: unknown[] = [];
    for (const [type, given] of GIVEN)
      for (const round of ROUNDS) {
        const values = Object.assign(new type(), given);
        const [ours, theirs] = [await passesChecks(values, round), await isSound(values, round)];
        if (ours && !theirs) differing.push({ type: type.name, given, round, ours, theirs });
        // What only class-validator itself can tell is left to it.
        const isPlain = type !== Other && type !== Needed;
        if (isPlain && ours !== theirs) differing.push({ type: type.name, given, round, ours, theirs });
      }
    expect(differing).toEqual([]);
  });

  it('leave lists, nested values and conditions to class-validator, where they were sent', async () => {
    const [round = {}] = ROUNDS;
    const passes = (given: object) => passesChecks(Object.assign(new Other(), given), round);
    expect([await passes({}), await passes({ texts: ['a'] }), await passes({ never: 'x' })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
