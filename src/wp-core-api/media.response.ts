import type { RequestContext } from '../http/request-context.js';
import { fileUrl } from '../lib/wordpress-text/image-object.js';
import { asMap, asString, type PhpArray, toPlain, unserialize } from '../lib/wordpress-text/php-serialize.js';
import { attachmentLink, permalink } from '../wordpress/posts/permalink.js';
import { firstMeta, type PostRecord, thumbnailId } from '../wordpress/posts/post-record.js';
import type { PostTexts } from '../wordpress/rendering/renderer.service.js';
import { discussionMembers, leadingMembers, paragraphs, postLinks, viewedText } from './core-response.js';
import type { View } from './list.dto.js';
import type { Discussion } from './post-list.query.js';

interface LoadedFile {
  file: PostRecord;
  parent: PostRecord | null;
  texts: PostTexts | undefined;
  discussion: Discussion | undefined;
}

/** Makes the JSON of a file (docs/behaviour/core-routes.md#mediaid). */
export function toMediaResponse(
  { file, parent, texts, discussion }: LoadedFile,
  view: View,
  context: RequestContext,
) {
  const { settings, access } = context;
  const { uploadsUrl } = settings.render;
  const path = firstMeta(file, '_wp_attached_file') ?? '';
  const source = fileUrl({ file: path, guid: file.guid }, uploadsUrl) || file.guid;
  const parentLink = parent && permalink(parent, settings.links, { readable: access.mayRead(parent) });
  const isFull = view !== 'embed';
  const text = viewedText(view);
  return {
    ...leadingMembers(file, view),
    link: attachmentLink(file, parentLink ?? undefined, settings.links),
    title: text(file.title, texts?.title ?? ''),
    author: file.author,
    featured_media: thumbnailId(file),
    ...(isFull && {
      ...discussionMembers(discussion),
      description: text(file.content, paragraphs(texts?.description)),
    }),
    caption: text(file.excerpt, paragraphs(texts?.excerpt)),
    alt_text: firstMeta(file, '_wp_attachment_image_alt') ?? '',
    media_type: file.mimeType.startsWith('image/') ? 'image' : 'file',
    mime_type: file.mimeType,
    media_details: detailsOf(firstMeta(file, '_wp_attachment_metadata'), source, file.mimeType),
    ...(isFull && { post: file.parent || null }),
    source_url: source,
    _links: postLinks(file, 'media', context),
  };
}

/** The stored metadata with the URL of each size, and of the file itself as size `full`. */
function detailsOf(stored: string | undefined, source: string, mimeType: string): object {
  const metadata = asMap(unserialize(stored ?? ''));
  if (metadata.size === 0) return {};
  const folder = source.slice(0, source.lastIndexOf('/') + 1);
  const sizes = [...asMap(metadata.get('sizes'))].map(([name, size]) => [name, sizeOf(asMap(size), folder)]);
  const [width, height] = ['width', 'height'].map((side) => toPlain(metadata.get(side) ?? null));
  const full = { file: source.slice(folder.length), width, height, mime_type: mimeType, source_url: source };
  const all = Object.fromEntries(sizes);
  return {
    ...Object.fromEntries([...metadata].map(([name, value]) => [name, toPlain(value)])),
    sizes: mimeType.startsWith('image/') && sizes.length > 0 ? { ...all, full } : all,
  };
}

function sizeOf(size: PhpArray, folder: string): object {
  const members = [...size].map(([name, value]) => [
    name === 'mime-type' ? 'mime_type' : name,
    toPlain(value),
  ]);
  return { ...Object.fromEntries(members), source_url: folder + asString(size.get('file')) };
}
