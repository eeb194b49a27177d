import { createRequire } from 'node:module';
import type * as Whole from 'class-validator';

const part = createRequire(import.meta.url);

// The package's own entry loads all checks that there are, with the telephone numbers of the world: 4 MB for what nobody asks.
/** Makes a decorator of a check. */
export const { ValidateBy }: Pick<typeof Whole, 'ValidateBy'> = part(
  'class-validator/cjs/decorator/common/ValidateBy.js',
);
/** A value is one of some. */
export const { IsIn }: Pick<typeof Whole, 'IsIn'> = part('class-validator/cjs/decorator/common/IsIn.js');
/** A value is a text. */
export const { IsString }: Pick<typeof Whole, 'IsString'> = part(
  'class-validator/cjs/decorator/typechecker/IsString.js',
);
/** What decorators said, whoever loaded them: there is one in a process. */
export const { getMetadataStorage }: Pick<typeof Whole, 'getMetadataStorage'> = part(
  'class-validator/cjs/metadata/MetadataStorage.js',
);
/** The names of kinds of checks. */
export const { ValidationTypes }: Pick<typeof Whole, 'ValidationTypes'> = part(
  'class-validator/cjs/validation/ValidationTypes.js',
);
/** Asks all checks of a value, and words what fails. */
export const { Validator }: Pick<typeof Whole, 'Validator'> = part(
  'class-validator/cjs/validation/Validator.js',
);
