import { parseBasicHeader } from '../../src/auth/application-login.js';
import { normaliseApplicationPassword } from '../../src/auth/application-password.js';
import { parseCookies, parseLoginCookie } from '../../src/auth/login-cookie.js';
import { unserialize } from '../../src/lib/wordpress-text/php-serialize.js';

describe('hostile credentials are parsed in linear time', () => {
  const pieces = ['<', '[', '"', '-', '&', '=', ';', '|', ' ', 'A', '%', 'a:1:{', 's:1:"', 'Basic '];
  const readers = {
    parseBasicHeader,
    parseCookies,
    parseLoginCookie,
    unserialize,
    normaliseApplicationPassword,
  };

  it.each(Object.entries(readers))('%s', (_name, read) => {
    const started = performance.now();
    for (const piece of pieces)
      for (const start of ['', 'Basic ', 'a=', 'a:9:{']) read(start + piece.repeat(100_000 / piece.length));
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('parsed Basic and Cookie headers', () => {
  it('are read in any letter case, with several blanks, as UTF-8', () => {
    const encoded = Buffer.from('jürgen:pä ss:wörd').toString('base64');
    for (const scheme of ['Basic', 'basic', 'BASIC '])
      expect(parseBasicHeader(`${scheme} ${encoded}`)).toEqual({ login: 'jürgen', password: 'pä ss:wörd' });
  });

  it('use the first cookie of a name, decoded once', () => {
    const cookies = parseCookies('a=1; b=x%7Cy%257C; a=2; c; =d; e=%zz');
    expect([...cookies]).toEqual([
      ['a', '1'],
      ['b', 'x|y%7C'],
      ['e', '%zz'],
    ]);
  });

  it.each(['', 'a|1|b', 'a|1|b|c|d', 'a|x|b|c', '|1|b|c', `${'a'.repeat(61)}|1|b|c`])(
    'contain no login cookie: %.20s',
    (text) => expect(parseLoginCookie(text)).toBeNull(),
  );
});
