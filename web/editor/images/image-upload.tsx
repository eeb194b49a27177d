import { AlmanacError } from 'almanac-client';
import { useEffect, useState } from 'preact/hooks';
import { problemOf } from '../problem.js';
import { useShell } from '../shell.js';

const TEXTS = {
  label: 'Or a new one: choose a file, or drop it here',
  sending: 'Uploading {name} …',
  done: '{name} was uploaded. It is used once you save.',
  notImage: '{name} is no JPEG, PNG, GIF, WebP or AVIF.',
} as const;

const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'];

interface ImageUploadProps {
  id: string;
  /** Called with the number of the image. */
  onUploaded: (image: number) => void;
}

/** Uploads an image that is chosen, or dropped here. */
export function ImageUpload({ id, onUploaded }: ImageUploadProps) {
  const { session, say } = useShell();
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState('');
  const [isOver, setOver] = useState(false);

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

  async function send(file: File | undefined) {
    if (!file || sending !== '') return;
    if (!TYPES.includes(file.type)) return setProblem(TEXTS.notImage.replace('{name}', file.name));
    setProblem('');
    setSending(file.name);
    try {
      onUploaded(await session.upload(file));
      say(TEXTS.done.replace('{name}', file.name));
    } catch (error) {
      const isAnswer = error instanceof AlmanacError && error.status < 500;
      setProblem(isAnswer ? error.message : problemOf(error).message);
    } finally {
      setSending('');
    }
  }

  return (
    <fieldset
      class={`drop${isOver ? ' over' : ''}`}
      onDragOver={(event) => setOver(hasFiles(event))}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        send(event.dataTransfer?.files[0]);
      }}
    >
      <label for={id}>{TEXTS.label}</label>
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
      {sending && <p class="muted">{TEXTS.sending.replace('{name}', sending)}</p>}
    </fieldset>
  );
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
