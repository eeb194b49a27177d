import { parseImageReference } from '../../wordpress/media/image-reference.js';
import { ImageRefused } from '../../wordpress/media/image-refused.js';
import { contextOf } from './check-context.js';
import { makeCheck } from './make-check.js';
import { RestArg, stacked } from './rest-arg.js';
import type { Shown } from './write-args.js';

/** The id of an image attachment, of whatever owner, a URL from somebody who may upload, or '' for none. */
const IsImage = makeCheck(
  'isImage',
  'must be the id of an image.',
  async (value, values) => {
    if (value === '') return true;
    if (typeof value !== 'string') return 'must be a text.';
    const { access, lookups } = contextOf(values);
    try {
      const reference = parseImageReference(value, { mayUpload: access.can('upload_files') });
      if ('url' in reference) return true;
      const post = await lookups.post(reference.id);
      return post?.type === 'attachment' && post.mimeType.startsWith('image/');
    } catch (error) {
      if (error instanceof ImageRefused) return error.message;
      throw error;
    }
  },
  { examples: ['7', 'https://example.org/poster.jpg'] },
);

/** `image` of a write. */
export const ImageArg = (shown?: Shown): PropertyDecorator =>
  stacked(
    RestArg({
      type: 'string',
      castInline: true,
      ...shown,
      description: 'Featured image: the id of an attachment or a URL; empty removes it.',
    }),
    IsImage(),
  );
