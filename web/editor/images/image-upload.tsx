import { AlmanacError } from 'almanac-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../../src/pages/texts/fill.js';
import { TEXTS } from '../catalogue.js';
import { problemOf } from '../problem.js';
import { useShell } from '../shell.js';

const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'];

interface ImageUploadProps {
  id: string;
  /** Called with the number of the image. */
  onUploaded: (image: number) => void;
}

/** Uploads an image that is chosen, dropped here, or pasted into the field around this. */
export function ImageUpload({ id, onUploaded }: ImageUploadProps) {
  const { session, say, complain } = useShell();
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState('');
  const [isOver, setOver] = useState(false);
  const place = useRef<HTMLFieldSetElement>(null);

  // A file that is dropped beside would replace the page.
  useEffect(() => {
    const keep = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    addEventListener('dragover', keep);
    addEventListener('drop', keep);
    return () => {
      removeEventListener('dragover', keep);
      removeEventListener('drop', keep);
    };
  }, []);

  // The field of the number takes the focus, and so a picture from the clipboard.
  useEffect(() => {
    const field = place.current?.parentElement;
    const paste = (event: ClipboardEvent) => {
      const file = event.clipboardData?.files[0];
      if (!file) return;
      event.preventDefault();
      send(file);
    };
    field?.addEventListener('paste', paste);
    return () => field?.removeEventListener('paste', paste);
  });

  async function send(file: File | undefined) {
    if (!file || sending !== '') return;
    if (!TYPES.includes(file.type)) return setProblem(fill(TEXTS.images.notImage, { name: file.name }));
    setProblem('');
    setSending(file.name);
    say(fill(TEXTS.images.sending, { name: file.name }));
    try {
      onUploaded(await session.upload(file));
      say(fill(TEXTS.images.done, { name: file.name }));
    } catch (error) {
      const isAnswer = error instanceof AlmanacError && error.status < 500;
      setProblem(isAnswer ? error.message : problemOf(error).message);
      complain(fill(TEXTS.images.failed, { name: file.name }));
    } finally {
      setSending('');
    }
  }

  return (
    <fieldset
      ref={place}
      class={`drop${isOver ? ' over' : ''}`}
      onDragOver={(event) => setOver(hasFiles(event))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        send(event.dataTransfer?.files[0]);
      }}
    >
      <label for={id}>{TEXTS.images.label}</label>
      <input
        id={id}
        type="file"
        accept={TYPES.join(',')}
        disabled={sending !== ''}
        aria-describedby={problem ? `${id}-error` : undefined}
        onChange={({ currentTarget }) => {
          send(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <div role="alert">
        {problem && (
          <p class="error" id={`${id}-error`}>
            {problem}
          </p>
        )}
      </div>
      {sending && <progress aria-label={fill(TEXTS.images.sending, { name: sending })} />}
    </fieldset>
  );
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
