import { Injectable } from '@nestjs/common';
import { type Html, html } from '../../../lib/html.js';
import { eventTemplate } from './event-template.js';
import { layout } from './layout.js';
import { organizerTemplate, venueTemplate } from './linked-template.js';
import type { EventView, OrganizerView, PublicPage, VenueView } from './page-views.js';

/** The templates of public pages, which a plugin may replace (docs/public-pages.md#templates). */
@Injectable()
export class PageTemplates {
  event(page: PublicPage, view: EventView): Html {
    return eventTemplate(page, view);
  }

  venue(page: PublicPage, view: VenueView): Html {
    return venueTemplate(page, view);
  }

  organizer(page: PublicPage, view: OrganizerView): Html {
    return organizerTemplate(page, view);
  }

  /** The page at an unknown address. */
  missing(page: PublicPage): Html {
    const { missing, missingHint, calendar } = page.publicTexts;
    return layout(
      page,
      { title: missing, description: missing, isUnlisted: true },
      html`<h1>${missing}</h1>
<p>${missingHint}</p>
<p><a href="${page.here}">${calendar}</a></p>`,
    );
  }
}
