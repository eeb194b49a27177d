import { createRequire } from 'node:module';

const { version, license }: Record<'version' | 'license', string> = createRequire(import.meta.url)(
  '../../package.json',
);

const DESCRIPTION = `The site's calendar as JSON: events with their venues, organizers, categories and tags.

**To begin**, open *List events* below, press *Try it out*, then *Execute*: reading what is published needs no login.
**To write**, press *Authorize* and enter a user name and an application password, which \`almanac user\` makes, or
WordPress on the user's profile. The page keeps it until it is closed, and nowhere else.

Lists come in pages: \`per_page\` and \`page\` choose one, \`total_pages\` says how many there are. Dates are texts such as
\`2026-11-21 10:00:00\`; those of an event follow the clock of its time zone, and \`utc_start_date\` says the same in UTC.
Texts of records are HTML. An update changes what is sent, and nothing else. Whatever is refused is answered with a \`code\`
for programs, a \`message\` for people, and in \`data.params\` what is wrong with each parameter.`;

/** The `info` of `/openapi.json`. */
export const DOCUMENT_INFO = {
  title: 'Calendar REST interface',
  version,
  description: DESCRIPTION,
  license: { name: license, identifier: license },
};
