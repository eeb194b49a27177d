import {
  Member,
  maskProtected,
  membersOf,
  metaKeysOf,
  withMembers,
} from '../../src/resources/base/member.js';

class Base {
  @Member({ type: 'integer', visibleWhenLocked: true }) id: number;
  @Member({ description: 'HTML.', optional: true }) text?: string;
}

class Meta {
  @Member({ metaKey: '_city', optional: true }) city?: string;
}

class Whole extends withMembers(Base, Meta) {
  @Member() open: boolean;
  @Member({ type: 'array' }) words: string[];
  @Member({ blank: { low: 0 } }) price: object;
  @Member({ optional: true }) data?: object;
  @Member({ optional: false }) override text: string;
}

describe('members of response classes', () => {
  it('have the order of their declaration, inherited ones first, and change where they are overridden', () => {
    const members = [...membersOf(Whole)];
    expect(members.map(([name]) => name)).toEqual(['id', 'text', 'city', 'open', 'words', 'price', 'data']);
    expect(membersOf(Whole).get('text')).toEqual({ type: 'string', description: 'HTML.', optional: false });
    expect(membersOf(Base).get('text')).toMatchObject({ optional: true });
    expect(membersOf(Whole).get('open')).toEqual({ type: 'boolean' });
    expect(metaKeysOf(Whole)).toEqual({ city: '_city' });
  });

  it('stay or are blanked by type while a password locks their record; undeclared ones are null', () => {
    const whole = { id: 1, text: 'a', city: 'b', open: true, words: ['c'], price: { low: 9 }, data: {} };
    const masked = maskProtected<object>(Whole, { ...whole, constructor: 'd', other: 'e' });
    expect(masked).toEqual({
      id: 1,
      text: '',
      city: '',
      open: null,
      words: [],
      price: { low: 0 },
      constructor: null,
      other: null,
    });
    expect(Object.keys(masked)).toEqual([
      'id',
      'text',
      'city',
      'open',
      'words',
      'price',
      'constructor',
      'other',
    ]);
  });
});
