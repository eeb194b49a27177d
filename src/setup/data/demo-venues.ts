/** A venue of the demo calendar with its position. */
export interface DemoVenue {
  venue: string;
  description?: string;
  address: string;
  city: string;
  country: string;
  state?: string;
  province?: string;
  zip: string;
  phone?: string;
  website?: string;
  /** Degrees north and east. */
  at: readonly [latitude: number, longitude: number];
}

/** Venues by their keys in the demo's events. */
export const DEMO_VENUES = {
  house: {
    venue: 'Kastanienhof Culture House',
    description:
      'A former brewery with one large hall, three rehearsal rooms and a courtyard under chestnut trees.\n\nThe entrance for wheelchairs is in the yard; ring the bell marked "Hall".',
    address: 'Kastanienallee 184',
    city: 'Berlin',
    country: 'Germany',
    zip: '10435',
    phone: '+49 30 5550 1184',
    website: 'https://kastanienhof.example.org/',
    at: [52.5391, 13.41],
  },
  library: {
    venue: 'Spreeufer City Library',
    description:
      '<p>Four floors of books by the river. Most readings take place in the <strong>Garden Room</strong> on the ground floor.</p>',
    address: 'Am Spreeufer 14',
    city: 'Berlin',
    country: 'Germany',
    zip: '10117',
    phone: '+49 30 5550 1400',
    website: 'https://library.example.org/',
    at: [52.522, 13.385],
  },
  market: {
    venue: 'Lindenplatz Market Square',
    address: 'Lindenplatz 1',
    city: 'Berlin',
    country: 'Germany',
    zip: '10969',
    at: [52.5035, 13.395],
  },
  cellar: {
    venue: 'Blue Cellar',
    description: 'Eighty seats, a short bar and a grand piano that came down the stairs in one piece.',
    address: 'Mainzer Straße 212',
    city: 'Berlin',
    country: 'Germany',
    zip: '12053',
    phone: '+49 30 5550 1212',
    website: 'https://bluecellar.example.org/',
    at: [52.48, 13.427],
  },
  cinema: {
    venue: 'Kino Morgenstern',
    description: 'Two screens, one of them with a working 35 mm projector.',
    address: 'Oderberger Straße 137',
    city: 'Berlin',
    country: 'Germany',
    zip: '10435',
    phone: '+49 30 5550 1370',
    website: 'https://morgenstern.example.org/',
    at: [52.54, 13.409],
  },
  park: {
    venue: 'Wiesenpark, Large Meadow',
    address: 'Am Wiesenpark',
    city: 'Berlin',
    country: 'Germany',
    zip: '10249',
    at: [52.527, 13.441],
  },
  shed: {
    venue: 'The Repair Shed',
    description: 'Workbenches, soldering irons, sewing machines -- and people who know how to use them.',
    address: 'Naunynstraße 160, second yard',
    city: 'Berlin',
    country: 'Germany',
    zip: '10997',
    website: 'https://repairshed.example.org/',
    at: [52.499, 13.419],
  },
  harbour: {
    venue: 'Museum of Harbour Life',
    description: 'The museum lies in a warehouse of 1887; the café on the quay needs no ticket.',
    address: 'Am Sandtorkai 122',
    city: 'Hamburg',
    country: 'Germany',
    zip: '20457',
    phone: '+49 40 5550 1220',
    website: 'https://harbourlife.example.org/',
    at: [53.544, 9.992],
  },
  ropewalk: {
    venue: 'Ropewalk Studios',
    address: '18 Ropewalk Yard',
    city: 'London',
    country: 'United Kingdom',
    zip: 'E1 8LZ',
    phone: '+44 20 5550 0118',
    website: 'https://ropewalk.example.org/',
    at: [51.511, -0.069],
  },
  lantern: {
    venue: 'Hudson Lantern Theater',
    address: '1412 West 46th Street',
    city: 'New York',
    country: 'United States',
    state: 'NY',
    zip: '10036',
    phone: '+1 212 555 0146',
    website: 'https://lantern.example.org/',
    at: [40.7612, -73.9905],
  },
  cedar: {
    venue: 'Cedar Street Conference Center',
    description: 'Twelve rooms, one roof terrace, and coffee on every floor.',
    address: '1900 NW Cedar Street',
    city: 'Portland',
    country: 'United States',
    state: 'OR',
    zip: '97209',
    website: 'https://cedarstreet.example.org/',
    at: [45.529, -122.685],
  },
  barn: {
    venue: 'Maple Yard Arts Barn',
    address: '1601 Christie Street',
    city: 'Toronto',
    country: 'Canada',
    province: 'Ontario',
    zip: 'M6G 4C7',
    at: [43.679, -79.424],
  },
  tea: {
    venue: 'Sumire Tea House',
    description: 'Please take off your shoes at the door; slippers are provided.',
    address: '2-114-5 Nezu, Bunkyo-ku',
    city: 'Tokyo',
    country: 'Japan',
    zip: '113-0031',
    phone: '+81 3 5550 0114',
    at: [35.717, 139.765],
  },
} as const satisfies Record<string, DemoVenue>;
