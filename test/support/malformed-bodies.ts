const json = [
  ...['{', '[', '"', 'nul', '1', 'null', '""', '[]', '{}', '[[1]]', '{"page":1e999}', '{"page":{}}'],
  ...['\ufeff{}', '{"page":[[]]}', '{"__proto__":{"page":"x"}}', '{"page":null}', '{"search":"\\ud800"}'],
  ...['{"search":"\\u0000"}', '{"page":9007199254740993}', '{"include":[1,"a",null,{}]}'],
  ...['{"categories":true}', '{"venue":-0.0}'],
  `${'['.repeat(100_000)}`,
  `${'['.repeat(600)}${']'.repeat(600)}`,
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
];

const form = ['&', '=', 'a', 'page[', 'page=%', '%00=1', `page${'[x]'.repeat(500)}=1`, 'a=1&'.repeat(5000)];

const part = '--b\r\nContent-Disposition: form-data; name=';
const multipart = [
  ...['', '--b', '--b--', `${part}"a"\r\n\r\n1\r\n--b--`, `${part}"a[b\r\n\r\n1`],
  ...[
    `${part}"a"; filename="x"\r\n\r\n`,
    `${part}"\0"\r\n\r\n\0\r\n--b--\r\n`,
    `${part}"a"\r\n`.repeat(3000),
  ],
  '--b\r\nContent-Disposition\r\n\r\n\r\n--b--',
];

/** Malformed bodies by content type; '' is none. */
export const ODD_BODIES: Readonly<Record<string, readonly string[]>> = {
  'application/json': json,
  'application/x+json; charset=latin1': json,
  'application/x-www-form-urlencoded': form,
  'multipart/form-data; boundary=b': multipart,
  'multipart/form-data': multipart,
  [`multipart/form-data; boundary="${'b'.repeat(300)}`]: multipart,
  'text/plain': json,
  '': form,
  'a/b; =; ;': form,
};
