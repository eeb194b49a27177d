import type { DemoSeries } from './demo-event.js';

/** The repeated events of the demo. */
export const DEMO_SERIES: readonly DemoSeries[] = [
  {
    title: "Saturday Farmers' Market",
    week: -2,
    times: 9,
    every: 1,
    weekday: 5,
    time: '09:00',
    length: 270,
    venue: 'market',
    organizers: ['growers'],
    categories: ['Markets'],
    tags: ['free entry', 'weekend', 'outdoors'],
    description: `<!-- wp:paragraph -->
<p>Vegetables that were in the ground yesterday, bread that was in the oven this morning, and cheese that took a little longer. About thirty stalls, all from within eighty kilometres.</p>
<!-- /wp:paragraph -->

<!-- wp:list -->
<ul class="wp-block-list"><!-- wp:list-item -->
<li>Bring your own bags -- there are no others</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Knife sharpening on the first Saturday of the month</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>From noon: soup of what was not sold</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list -->`,
  },
  {
    title: 'Tuesday Night Jazz',
    week: -1,
    times: 7,
    every: 1,
    weekday: 1,
    time: '20:30',
    length: 150,
    venue: 'cellar',
    organizers: ['cellar'],
    categories: ['Jazz'],
    tags: ['evening', 'series'],
    cost: '€12 - €18',
    excerpt: 'Two sets, one interval, no talking during the ballads.',
    description: `Every Tuesday a different trio has the piano. The first set is what they rehearsed, the second is "what happens".

Seats can't be reserved. Doors open at 19:30; by 20:15 the good ones are gone...

Students and pupils pay €12, everybody else €18.`,
  },
  {
    title: 'German Conversation for Beginners',
    week: 0,
    times: 6,
    every: 1,
    weekday: 2,
    time: '18:30',
    length: 90,
    venue: 'library',
    organizers: ['readers'],
    categories: ['Languages'],
    tags: ['free entry', 'beginners', 'wheelchair accessible', 'series'],
    cost: '0',
    description: `<p>You know a few hundred words and would like to use them? We talk about easy things, slowly, and nobody is corrected in mid-sentence.</p>
<ul>
<li>no registration</li>
<li>no homework</li>
<li>tea and biscuits</li>
</ul>`,
  },
  {
    title: 'Repair Café',
    week: -3,
    times: 4,
    every: 4,
    weekday: 6,
    time: '14:00',
    length: 180,
    venue: 'shed',
    organizers: ['makers', 'house'],
    categories: ['Workshops'],
    tags: ['weekend', 'series'],
    cost: 'Pay what you can',
    description: `Bring what is broken and can be carried: lamps, toasters, trousers, toys. You repair it yourself, with somebody beside you who has done it before.

Last year 412 of 530 things went home in working order. The other 118 had a good time, too.`,
  },
  {
    title: 'Story Time for the Small Ones',
    week: -1,
    times: 6,
    every: 1,
    weekday: 4,
    time: '10:00',
    length: 45,
    venue: 'library',
    organizers: ['readers'],
    categories: ['Family'],
    tags: ['free entry', 'family-friendly', 'wheelchair accessible'],
    cost: '0',
    description:
      'Picture books for children from two to five, read aloud by volunteers with a talent for bears. Prams can be parked inside.',
  },
  {
    title: "London Makers' Evening",
    week: 0,
    times: 4,
    every: 2,
    weekday: 3,
    time: '18:30',
    length: 150,
    zone: 'Europe/London',
    venue: 'ropewalk',
    organizers: ['makers'],
    categories: ['Crafts'],
    tags: ['evening', 'english'],
    cost: '£5',
    description: `<!-- wp:paragraph -->
<p>An open workshop evening: show what you are working on, borrow a tool, find somebody for the part you can't do.</p>
<!-- /wp:paragraph -->

<!-- wp:paragraph -->
<p><em>The laser cutter needs an induction, which takes 20 minutes; the first is at 18:45.</em></p>
<!-- /wp:paragraph -->`,
  },
  {
    title: 'Choir Rehearsal',
    week: 0,
    times: 3,
    every: 1,
    weekday: 0,
    time: '19:30',
    length: 120,
    venue: 'house',
    organizers: ['anna'],
    categories: ['Choir'],
    hidden: true,
    description: 'Room 3, second floor. Sopranos please come at 19:15.',
  },
];
