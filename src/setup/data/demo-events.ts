import type { DemoEvent } from './demo-event.js';
import { DEMO_EVENTS_CONTINUED } from './demo-events-continued.js';

/** The single events of the demo; their order decides ids and authors. */
export const DEMO_EVENTS: readonly DemoEvent[] = [
  {
    title: 'Photographs of the Night Shift',
    week: -1,
    weekday: 3,
    length: 18,
    venue: 'harbour',
    organizers: ['conferences'],
    categories: ['Exhibitions'],
    tags: ['wheelchair accessible'],
    cost: '€9',
    featured: true,
    website: 'https://harbourlife.example.org/night-shift',
    excerpt: 'Bakers, nurses, signalmen: forty pictures of people who work while the others sleep.',
    description: `<!-- wp:paragraph -->
<p>For two years the photographer Ida Brandt went out at ten in the evening and came home at six. Forty of her pictures hang in the old rope loft.</p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2 class="wp-block-heading">Opening hours</h2>
<!-- /wp:heading -->

<!-- wp:paragraph -->
<p>Tuesday to Sunday, 10:00–18:00; on Thursdays until 22:00, "for the night shift".</p>
<!-- /wp:paragraph -->`,
  },
  {
    title: 'Riverside Film Festival',
    week: 3,
    weekday: 3,
    time: '17:00',
    length: 4 * 1440 + 360,
    venue: 'cinema',
    organizers: ['film', 'house'],
    categories: ['Film'],
    tags: ['weekend', 'english'],
    cost: '€8 - €45',
    featured: true,
    sticky: true,
    website: 'https://morgenstern.example.org/festival',
    description: `<!-- wp:paragraph -->
<p>Five days, thirty-one films, and every one of them has water in it: rivers, rain, a bathtub. The programme opens with a silent film & live accordion.</p>
<!-- /wp:paragraph -->

<!-- wp:quote -->
<blockquote class="wp-block-quote"><!-- wp:paragraph -->
<p>"The only festival where you are told to bring a towel."</p>
<!-- /wp:paragraph --></blockquote>
<!-- /wp:quote -->

<!-- wp:list {"ordered":true} -->
<ol class="wp-block-list"><!-- wp:list-item -->
<li>Single ticket: €8</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Festival pass: €45</li>
<!-- /wp:list-item --></ol>
<!-- /wp:list -->`,
  },
  {
    title: 'Open House in the Brewery Yard',
    week: 1,
    weekday: 6,
    length: 1,
    venue: 'house',
    organizers: ['house'],
    categories: ['Family', 'Outdoors'],
    tags: ['free entry', 'family-friendly', 'weekend'],
    cost: '0',
    description:
      'All doors are open from eleven: rehearsal rooms, costume store, even the boiler. Cake in the yard, and in the afternoon a brass band that fits under one tree.',
  },
  {
    title: 'International Book Days',
    week: 6,
    weekday: 4,
    length: 3,
    venue: 'library',
    organizers: ['readers', 'conferences'],
    categories: ['Talks', 'Exhibitions'],
    tags: ['english', 'german', 'weekend'],
    cost: '€0 - €15',
    description: `Small presses from eleven countries show what they printed this year.

Readings every full hour, translations on paper. Some evening events cost up to €15; the fair itself is free.`,
  },
  {
    title: 'Bread from the Beginning',
    week: 0,
    weekday: 5,
    time: '10:00',
    length: 300,
    venue: 'house',
    organizers: ['house'],
    categories: ['Cooking'],
    tags: ['weekend', 'beginners'],
    cost: '€35',
    description: `<p>Flour, water, salt, time. You take home a loaf, a jar of sourdough and <strong>a sheet of paper with everything that can go wrong</strong>.</p>
<p>Twelve places. Aprons are there.</p>`,
  },
  {
    title: 'Lecture: How Maps Lie',
    week: 0,
    weekday: 3,
    time: '19:00',
    length: 90,
    venue: 'library',
    organizers: ['readers'],
    categories: ['Talks'],
    tags: ['evening', 'english', 'free entry'],
    cost: '0',
    description:
      'Greenland is not that big. A cartographer explains who drew the lines, what was left out -- and why the 1:25,000 sheet of 1936 shows a lake that never was.',
  },
  {
    title: 'Chamber Music: Two Cellos',
    week: 1,
    weekday: 4,
    time: '19:30',
    length: 105,
    venue: 'house',
    organizers: ['house'],
    categories: ['Chamber music'],
    tags: ['evening', 'wheelchair accessible'],
    cost: '€22',
    description: 'Barrière, Offenbach, and a new piece for two instruments and one bow.',
  },
  {
    title: 'Silent Film with Live Piano',
    week: 1,
    weekday: 5,
    time: '20:00',
    length: 120,
    venue: 'cinema',
    organizers: ['film'],
    categories: ['Film', 'Music'],
    tags: ['evening', 'weekend'],
    cost: '€14',
    description:
      'A comedy about a man, a ladder and a very small dog; at the piano somebody who has not seen it before.',
  },
  {
    title: 'Full Moon Walk along the Canal',
    week: 2,
    weekday: 5,
    time: '21:00',
    length: 150,
    venue: 'park',
    organizers: ['house'],
    categories: ['Walks'],
    tags: ['outdoors', 'evening', 'free entry'],
    cost: '0',
    description: `Seven kilometres, slowly, without torches. We stop where the nightingales are & where they should be.

Please wear shoes that may get wet.`,
  },
  {
    title: 'The Cherry Lawn',
    week: 2,
    weekday: 4,
    time: '19:00',
    length: 165,
    zone: 'America/New_York',
    venue: 'lantern',
    organizers: ['house'],
    categories: ['Theatre'],
    tags: ['evening', 'english'],
    cost: ['$25', '$60'],
    featured: true,
    website: 'https://lantern.example.org/cherry-lawn',
    description:
      'Three siblings, one house, and a buyer who wants only the garden. A new comedy; one interval of 20 minutes.',
  },
  {
    title: 'The Cherry Lawn (Matinee)',
    week: 2,
    weekday: 6,
    time: '14:00',
    length: 165,
    zone: 'America/New_York',
    venue: 'lantern',
    organizers: ['house'],
    categories: ['Theatre'],
    tags: ['weekend', 'english', 'wheelchair accessible'],
    cost: '$20',
    description: 'The same comedy in the afternoon, with surtitles for the hard of hearing.',
  },
  {
    title: 'An Afternoon of Tea',
    week: 1,
    weekday: 2,
    time: '13:00',
    length: 120,
    zone: 'Asia/Tokyo',
    venue: 'tea',
    organizers: ['house'],
    categories: ['Cooking', 'Talks'],
    tags: ['beginners', 'english'],
    cost: '¥3500',
    description: 'Three teas, three bowls, and the story of the crack in one of them. Eight guests at most.',
  },
  {
    title: 'River Cities Conference',
    week: 9,
    weekday: 0,
    time: '09:00',
    length: 2 * 1440 + 480,
    zone: 'America/Los_Angeles',
    venue: 'cedar',
    organizers: ['conferences'],
    categories: ['Conferences'],
    tags: ['english', 'wheelchair accessible'],
    cost: ['$180', '$420'],
    featured: true,
    website: 'https://conferences.example.org/river-cities',
    excerpt: 'What thirty cities learned when they turned their faces back to the water.',
    description: `<!-- wp:paragraph -->
<p>Three days of talks and walks for people who plan, build or simply live in cities on rivers.</p>
<!-- /wp:paragraph -->

<!-- wp:heading {"level":3} -->
<h3 class="wp-block-heading">Tickets</h3>
<!-- /wp:heading -->

<!-- wp:list -->
<ul class="wp-block-list"><!-- wp:list-item -->
<li>Students: $180</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Early: $320, until eight weeks before</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Regular: $420</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list -->`,
  },
  {
    title: 'Printing Posters with Wooden Type',
    week: 3,
    weekday: 6,
    time: '11:00',
    length: 360,
    zone: 'America/Toronto',
    venue: 'barn',
    organizers: ['makers'],
    categories: ['Crafts'],
    tags: ['weekend', 'beginners', 'english'],
    cost: '$95',
    description: `We set, ink and pull. Nobody leaves with clean hands.

<ul><li>Letters up to 12" tall</li><li>Paper and ink are included</li><li>Lunch isn't</li></ul>`,
  },
  {
    title: 'Webinar: Accessible Events on a Small Budget',
    week: 1,
    weekday: 1,
    time: '15:00',
    length: 60,
    zone: 'UTC',
    organizers: ['conferences'],
    categories: ['Talks'],
    tags: ['online', 'free entry', 'english'],
    cost: '0',
    website: 'https://conferences.example.org/webinars',
    description:
      'Ramps, captions, quiet rooms: what they cost, what they bring, and what to do first when there is only money for one of them.',
  },
  {
    title: 'Webinar: Keeping Volunteers',
    week: 3,
    weekday: 1,
    time: '19:30',
    length: 60,
    zone: 'Asia/Kolkata',
    organizers: ['conferences'],
    categories: ['Talks'],
    tags: ['online', 'english'],
    cost: '0',
    description:
      'Three organizers from Pune, Kochi and Delhi on thank-you notes, rotas and the art of letting go.',
  },
  ...DEMO_EVENTS_CONTINUED,
];
