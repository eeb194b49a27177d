import {
  type Attachment,
  newRenderState,
  type RenderContext,
  type ThemeSupport,
} from '../../src/lib/wordpress-text/formatting/render-context.js';
import { mediaSettings } from '../../src/wordpress/media/media-settings.js';

/** Root URL of the vectors' site. */
export const VECTOR_HOME = 'http://events.example.test';

/** The rendering context of that site, with a fresh state. */
export function makeRenderContext(
  theme: ThemeSupport = 'classic',
  attachments: readonly Attachment[] = [],
): RenderContext {
  return {
    site: {
      home: VECTOR_HOME,
      siteUrl: VECTOR_HOME,
      uploadsUrl: `${VECTOR_HOME}/wp-content/uploads`,
      useSmilies: true,
      theme,
      locale: 'en_US',
      permalinkStructure: '',
      imageBoxes: mediaSettings((_, fallback = '') => fallback).boxes,
    },
    attachments: new Map(attachments.map((attachment) => [attachment.id, attachment])),
    state: newRenderState(),
  };
}
