const ENCODED = /^[\w-]+(?:;[^:]*)?;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i;

/** Whether a line, or its beginning, has the encoding of vCalendar 1.0. */
export const isQuotedPrintable = (text: string): boolean => ENCODED.test(text);

/** Decodes the value of a quoted-printable line to a text of RFC 5545, without the parameters of the encoding. */
export function fromQuotedPrintable(text: string, decode: (bytes: Buffer) => string): string {
  const colon = text.indexOf(':');
  const head = text.slice(0, colon).replace(/;(?:CHARSET=[^;]*|(?:ENCODING=)?QUOTED-PRINTABLE)(?=;|$)/gi, '');
  const bytes = text
    .slice(colon + 1)
    .replace(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return `${head}:${decode(Buffer.from(bytes, 'latin1')).replace(/\r\n?|\n/g, '\\n')}`;
}
