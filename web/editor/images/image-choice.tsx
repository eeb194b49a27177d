import { TEXTS } from '../catalogue.js';
import { type Choice, type Row } from '../model.js';
import { Picker } from '../picker.js';
import { useShell } from '../shell.js';
import { ImageUpload } from './image-upload.js';
import { Preview } from './preview.js';

/** A chosen image stands in its field as its number. */
const NONE: readonly Choice[] = [];

interface ImageChoiceProps {
  /** The id of the field of the number or address. */
  id: string;
  value: string;
  row: Row | undefined;
  onChange: (value: string) => void;
}

/** Ways to an image besides its number or address, and what it looks like. */
export function ImageChoice({ id, value, row, onChange }: ImageChoiceProps) {
  const { session, settings } = useShell();
  const mayUpload = session.can('upload_files');
  return (
    <>
      <Preview id={id} value={value} row={row} />
      {mayUpload && (
        <>
          <label for={`${id}-search`}>{TEXTS.images.uploaded}</label>
          <Picker
            id={`${id}-search`}
            of="images"
            many={false}
            value={NONE}
            describedBy=""
            isInvalid={false}
            onChange={([choice]) => choice && onChange(String(choice.id))}
          />
        </>
      )}
      {mayUpload && settings.imageUrls && (
        <ImageUpload id={`${id}-file`} onUploaded={(image) => onChange(String(image))} />
      )}
    </>
  );
}
