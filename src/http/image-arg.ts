import { parseImageReference } from '../wordpress/media/image-reference.js';
import { ImageRefused } from '../wordpress/media/image-refused.js';
import type { Check } from './rest-arg.js';

/** The id of an image attachment, of whatever owner, a URL from somebody who may upload, or '' for none. */
export const imageOrEmpty: Check = async (value, { access, lookups }) => {
  if (value === '') return true;
  if (typeof value !== 'string') return 'must be a text.';
  try {
    const reference = parseImageReference(value, { mayUpload: access.can('upload_files') });
    if ('url' in reference) return true;
    const post = await lookups.post(reference.id);
    return (
      (post?.type === 'attachment' && post.mimeType.startsWith('image/')) || 'must be the id of an image.'
    );
  } catch (error) {
    if (error instanceof ImageRefused) return error.message;
    throw error;
  }
};
