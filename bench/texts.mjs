const KINDS = [
  'Concert',
  'Workshop',
  'Lecture',
  'Market',
  'Reading',
  'Guided tour',
  'Film night',
  'Open house',
];
const ABOUTS = [
  'jazz',
  'old maps',
  'bread',
  'bicycles',
  'the river',
  'printing',
  'small theatres',
  'night skies',
];
const PLACES = ['North', 'Harbour', 'Garden', 'Mill', 'Station', 'Castle', 'Bridge', 'Orchard'];
const HOUSES = ['Hall', 'Library', 'Theatre', 'Gallery', 'Square', 'Museum', 'Club', 'Chapel'];
const GROUPS = ['Friends of the', 'Society for', 'Academy of', 'Circle of'];
const SENTENCES = [
  'Doors open half an hour before the start, and latecomers are let in during the first break.',
  'The evening is led by people who have done this for years and like to be asked.',
  'Bring something to write with; everything else is there.',
  'Afterwards there is tea, and time to talk with those who made it.',
  'The room is on the ground floor and can be reached with a wheelchair.',
  'Tickets are sold at the door -- "first come, first served" -- and cost less for pupils & students.',
  'If the weather does not hold, we meet inside instead.',
  "Part of a series that has been running since 1998; newcomers won't feel lost.",
];

const FIRST_NAMES =
  'Ada Ben Clara David Emma Farid Grete Hugo Ines Jonas Karin Leo Mira Nils Olga Paul Rosa Sven Tilda Yusuf'.split(
    ' ',
  );
const LAST_NAMES =
  'Abel Brandt Castell Dorn Ekström Falk Grimaldi Hartwig Ito Jansen Keller Lindqvist Moreau Novak Okafor Petrov Quandt Ribeiro Sommer Tanaka'.split(
    ' ',
  );

/** Title of an event. */
export const eventTitle = ({ one }) => `${one(KINDS)}: all about ${one(ABOUTS)}`;

/** Name of a venue. */
export const venueName = ({ one }, number) => `${one(PLACES)} ${one(HOUSES)} ${number}`;

/** Name of an organizer. */
export const organizerName = ({ one }, number) => `${one(GROUPS)} ${one(ABOUTS)} ${number}`;

/** A description of two to five paragraphs, one in ten much longer (up to 6 KB); a third of them as blocks. */
export function description({ below, chance, one }) {
  const length = chance(0.1) ? 8 + below(16) : 2 + below(4);
  const paragraphs = Array.from({ length }, () =>
    Array.from({ length: 1 + below(3) }, () => one(SENTENCES)).join(' '),
  );
  paragraphs.push(`With ${one(FIRST_NAMES)} ${one(LAST_NAMES)}.`);
  if (!chance(1 / 3)) return paragraphs.join('\n\n');
  return paragraphs
    .map((text) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`)
    .join('\n\n');
}

/** Part of a name or of a sentence that some descriptions hold, six letters or longer. */
export function phrase({ below, chance, one }) {
  const text = chance(0.5) ? `${one(FIRST_NAMES)} ${one(LAST_NAMES)}` : one(SENTENCES);
  const length = 6 + below(9);
  return text
    .slice(below(Math.max(1, text.length - length)), text.length)
    .slice(0, length)
    .trim();
}

/** A slug without its number. */
export const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
