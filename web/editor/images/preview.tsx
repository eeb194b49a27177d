import { useEffect, useState } from 'preact/hooks';
import type { Row } from '../model.js';
import type { Picture } from '../session.js';
import { useShell } from '../shell.js';
import { AlternativeText } from './alternative-text.js';

interface PreviewProps {
  /** The id of the field of the number or address. */
  id: string;
  value: string;
  row: Row | undefined;
}

/** The picture that a number or an address stands for, and the alternative text of one that was uploaded. */
export function Preview({ id, value, row }: PreviewProps) {
  const { session } = useShell();
  const [picture, setPicture] = useState<Picture>();
  const isNumber = /^\d+$/.test(value);
  const known = row?.['image'] as { id?: number; url?: string | false } | undefined;
  const isKnown = known && String(known.id) === value && typeof known.url === 'string';
  useEffect(() => {
    setPicture(undefined);
    if (!isNumber) {
      if (/^https?:\/\//i.test(value)) setPicture({ source: value, alt: '' });
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      session.picture(value, abort.signal).then(setPicture, () => undefined);
    }, 300);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [session, value]);
  const source = isKnown ? String(known.url) : picture?.source;
  return (
    <>
      {source && <img class="preview" src={source} alt={picture?.alt ?? ''} referrerpolicy="no-referrer" />}
      {isNumber && picture && session.can('upload_files') && (
        <AlternativeText key={value} id={`${id}-alt`} image={value} stored={picture.alt} />
      )}
    </>
  );
}
