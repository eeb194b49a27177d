import { useEffect, useState } from 'preact/hooks';
import type { Row } from '../model.js';
import { useShell } from '../shell.js';

/** The picture that a number or an address stands for. */
export function Preview({ value, row }: { value: string; row: Row | undefined }) {
  const { session } = useShell();
  const [source, setSource] = useState<string>();
  const known = row?.['image'] as { id?: number; url?: string | false } | undefined;
  const isShown = known && String(known.id) === value && typeof known.url === 'string';
  useEffect(() => {
    setSource(undefined);
    if (isShown || value === '') return;
    if (!/^\d+$/.test(value)) {
      if (/^https?:\/\//i.test(value)) setSource(value);
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      session.picture(value, abort.signal).then(setSource, () => undefined);
    }, 300);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [session, value, isShown]);
  const preview = isShown ? String(known.url) : source;
  if (!preview) return null;
  return <img class="preview" src={preview} alt="" referrerpolicy="no-referrer" />;
}
