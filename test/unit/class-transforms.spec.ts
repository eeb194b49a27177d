import 'reflect-metadata';
import { Exclude, Expose, plainToInstance, Transform, Type } from 'class-transformer';
import { toInstance } from '../../src/http/params/class-transforms.js';

const noted: unknown[] = [];
const Noted = (mark: string) =>
  Transform(({ value, key, obj, type, options }) => {
    noted.push({ mark, value, key, obj: { ...obj }, type, options });
    return `${value ?? ''}${mark}`;
  });

class Base {
  @Noted('b') shared?: unknown;
  @Noted('c') inherited?: unknown;
  standing = 'as it was';
}

class Plain extends Base {
  // The lowest is asked first.
  @Noted('2') @Noted('1') twice?: unknown;
  @Noted('p') declare shared?: unknown;
  @Transform(() => 'never', { toPlainOnly: true }) outwards?: unknown;
  @Transform(() => 'inwards', { toClassOnly: true }) inwards?: unknown;
  @Transform(() => 'never', { groups: ['other'] }) grouped?: unknown;
  bare?: unknown;
}

class Typed {
  @Type(() => Number) count?: unknown;
}
class Hidden {
  @Exclude() count?: unknown;
}
class Renamed {
  @Expose({ name: 'count' }) number?: unknown;
}
class WithMethod {
  count(): number {
    return 1;
  }
}

const NAMES = ['twice', 'shared', 'inherited', 'outwards', 'inwards', 'grouped', 'bare', 'standing'];
const GIVEN = [{}, { twice: 'x', bare: 5 }, { shared: null, inherited: true, outwards: 'o', grouped: 'g' }];

function notedIn<T>(work: () => T): [T, unknown[]] {
  noted.length = 0;
  const instance = work();
  return [instance, [...noted]];
}

describe('transformed parameters', () => {
  it('is what class-transformer makes, by the same functions asked the same', () => {
    for (const given of GIVEN) {
      const values = Object.fromEntries(NAMES.map((name) => [name, (given as never)[name]]));
      const theirs = notedIn(() => plainToInstance(Plain, values));
      expect(notedIn(() => toInstance(Plain, values, NAMES))).toEqual(theirs);
      expect(theirs[1].length).toBeGreaterThan(4);
    }
    expect(toInstance(Plain, {}, NAMES)).toBeInstanceOf(Plain);
  });

  it('is left to class-transformer where other decorators, or methods, have a say', () => {
    for (const type of [Typed, Hidden, Renamed, WithMethod]) {
      const instance = toInstance<object>(type, { count: '5' }, ['count']);
      expect([type.name, instance]).toEqual([
        type.name,
        plainToInstance<object, object>(type, { count: '5' }),
      ]);
    }
    expect(toInstance(Typed, { count: '5' }, ['count']).count).toBe(5);
  });
});
