import { parseImageReference } from '../../wordpress/media/image-reference.js';
import { ImageRejected } from '../../wordpress/media/image-rejected.js';
import { getContext } from './check-context.js';
import { makeCheck } from './make-check.js';
import { RestArg } from './rest-arg.js';
import type { DocumentedOptions } from './write-args.js';

/** The id of an image attachment of any owner, a URL if the user may upload, or '' for none. */
const IsImage = makeCheck(
  'isImage',
  'must be the id of an image.',
  async (value, values) => {
    if (value === '') return true;
    if (typeof value !== 'string') return 'must be a text.';
    const { access, lookups } = getContext(values);
    try {
      const reference = parseImageReference(value, { mayUpload: access.can('upload_files') });
      if ('url' in reference) return true;
      const post = await lookups.post(reference.id);
      return post?.type === 'attachment' && post.mimeType.startsWith('image/');
    } catch (error) {
      if (error instanceof ImageRejected) return error.message;
      throw error;
    }
  },
  { examples: ['7', 'https://example.org/poster.jpg'] },
);

/** `image` of a write. */
export const ImageArg = (documented?: DocumentedOptions): PropertyDecorator =>
  RestArg(
    {
      type: 'string',
      castInline: true,
      ...documented,
      description: 'Featured image: the id of an attachment or a URL; empty removes it.',
    },
    IsImage(),
  );
