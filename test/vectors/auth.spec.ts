import {
  canWriteBack,
  PhpFloat,
  serialize,
  toPlain,
  unserialize,
} from '../../src/wordpress/options/php-serialize.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface AuthVectors {
  php_serialise: { php?: string; serialised: string; value?: string }[];
  capabilities: { roles_option_serialised_after_plugin_activation: string };
}
const vectors = loadVectors<AuthVectors>('auth');

describe('php serialize', () => {
  const listed = [null, true, 42, 1.5, 'ä', ['x'], { k: 'v' }];
  proveVectors('php_serialise', vectors.php_serialise, (row) => {
    const value = unserialize(row.serialised);
    return {
      expected: [row.value ?? listed, row.serialised],
      actual: [toPlain(value ?? null), serialize(value ?? null)],
    };
  });

  it('writes the roles option back byte for byte', () => {
    expect(canWriteBack(vectors.capabilities.roles_option_serialised_after_plugin_activation)).toBe(true);
  });

  it.each([
    'd:0.1;',
    'd:1.0E+25;',
    'd:1.0E-7;',
    'd:3822804125.5652;',
    'd:INF;',
    'd:-0;',
    'd:2;',
    'a:2:{i:-3;s:0:"";s:2:"07";d:-1.25;}',
  ])('keeps %s', (text) => expect(canWriteBack(text)).toBe(true));

  it.each([
    '',
    'x',
    'i:1',
    'i:1;i:2;',
    's:5:"abc";',
    's:1:"ä";',
    'b:2;',
    'a:1:{i:0;R:1;}',
    'O:8:"stdClass":0:{}',
    'C:1:"A":0:{}',
    'a:1:{a:0:{}i:1;}',
    'a:2:{i:0;i:1;}',
    'a:999999999:{',
    'a:1:{i:0;'.repeat(100_000),
    '['.repeat(100_000),
    ' '.repeat(100_000),
  ])('refuses %.40s', (text) => expect(unserialize(text)).toBeUndefined());

  it('keeps floats apart from integers', () => {
    expect(unserialize('d:2;')).toEqual(new PhpFloat(2));
    expect(serialize(new PhpFloat(2))).toBe('d:2;');
  });

  it('does not claim to keep what it can not', () => {
    for (const text of ['i:9223372036854775807;', 'i:007;', 'a:1:{s:1:"1";N;}', ' i:1;'])
      expect([text, unserialize(text) === undefined, canWriteBack(text)]).toEqual([text, false, false]);
  });
});
