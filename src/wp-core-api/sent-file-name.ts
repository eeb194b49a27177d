/** The name in a `Content-Disposition` (RFC 6266): of `filename*` in UTF-8, else of `filename`; undefined without one. */
export function fileName(disposition: string): string | undefined {
  const [, encoded] = /;\s{0,9}filename\*\s{0,9}=\s{0,9}utf-8'[^';]{0,50}'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain] =
    /;\s{0,9}filename\s{0,9}=\s{0,9}(?:"((?:[^"\\]|\\.)*)"|([^;"\s]+))/i.exec(disposition) ?? [];
  const sent = decoded(encoded) ?? quoted?.replace(/\\(.)/g, '$1') ?? plain;
  // Node reads headers as Latin-1, clients send UTF-8.
  const name =
    sent === undefined || sent === decoded(encoded) ? sent : Buffer.from(sent, 'latin1').toString('utf8');
  return name || undefined;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
