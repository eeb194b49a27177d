/** A category of the demo calendar with its children. */
export interface DemoCategory {
  name: string;
  description?: string;
  children?: readonly DemoCategory[];
}

/** The tree of categories. */
export const DEMO_CATEGORIES: readonly DemoCategory[] = [
  {
    name: 'Music',
    description: 'Concerts and everything that makes sounds on purpose.',
    children: [{ name: 'Jazz' }, { name: 'Choir' }, { name: 'Chamber music' }],
  },
  {
    name: 'Stage & Screen',
    children: [
      { name: 'Film', description: 'With subtitles unless it says otherwise.' },
      { name: 'Theatre' },
    ],
  },
  {
    name: 'Learning',
    children: [
      { name: 'Workshops', children: [{ name: 'Crafts' }, { name: 'Cooking' }] },
      { name: 'Talks' },
      { name: 'Languages' },
    ],
  },
  { name: 'Family', description: 'For children, and for those who bring them.' },
  { name: 'Markets' },
  { name: 'Outdoors', children: [{ name: 'Walks' }] },
  { name: 'Exhibitions' },
  { name: 'Conferences' },
];

/** Descriptions of tags; tags without one are created with the events. */
export const DEMO_TAGS: Readonly<Record<string, string>> = {
  'free entry': 'Costs nothing, also not at second glance.',
  'wheelchair accessible': 'Without steps from the street to the seat, and to the toilets.',
  online: 'The address of the stream comes with the registration.',
};
