import { Transform } from 'class-transformer';
import { isNumeric } from '../wordpress/formatting/php-number.js';
import { contextOf, type Given } from './check-context.js';
import { makeCheck } from './make-check.js';
import { type ArgOptions, RestArg, stacked } from './rest-arg.js';

const TOGETHER = ['geoloc_lat', 'geoloc_lng', 'geoloc_radius'];
/** Kilometres from any place to the one that is farthest from it, and a little more. */
const FARTHEST = 20_100;

const between = (least: number, most: number, unit: string): PropertyDecorator =>
  makeCheck(
    'isWithin',
    `must be a number of ${unit} from ${least} to ${most}.`,
    (value, values) => {
      const { sent } = contextOf(values);
      if (!isNumeric(value) || Number(value) < least || Number(value) > most) return false;
      return (
        TOGETHER.every((name) => (sent[name] ?? null) !== null) || `needs all of ${TOGETHER.join(', ')}.`
      );
    },
    { minimum: least, maximum: most },
  )();

const toNumber = Transform(({ value }: Given) => (value === undefined ? undefined : Number(value)));

const NumberArg = (options: ArgOptions, check: PropertyDecorator): PropertyDecorator =>
  stacked(RestArg({ format: 'double', ...options }), check, toNumber);

type Ours = Pick<ArgOptions, 'ours'>;

/** `geoloc_lat` of a list (docs/behaviour/additions.md#places). */
export const LatitudeArg = (ours: Ours = { ours: true }): PropertyDecorator =>
  NumberArg({ ...ours, description: 'Latitude of a place to look around.' }, between(-90, 90, 'degrees'));

/** `geoloc_lng` of a list. */
export const LongitudeArg = (ours: Ours = { ours: true }): PropertyDecorator =>
  NumberArg({ ...ours, description: 'Longitude of a place to look around.' }, between(-180, 180, 'degrees'));

/** `geoloc_radius` of a list. */
export const RadiusArg = (): PropertyDecorator =>
  NumberArg(
    { ours: true, description: 'Kilometres around that place; answers say the distance.' },
    between(0, FARTHEST, 'kilometres'),
  );
