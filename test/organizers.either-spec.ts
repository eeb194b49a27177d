import { declareLinkedPostWrites } from './suites/linked-post-writes.js';
import { type LinkedPostResource, useLinkedPostSite } from './support/linked-post-site.js';
import { describeEither } from './support/sites.js';

const ORGANIZERS: LinkedPostResource = {
  plural: 'organizers',
  word: 'organizer',
  prefix: '_Organizer',
  websiteKey: '_OrganizerWebsite',
  linkKey: '_EventOrganizerID',
  texts: ['phone', 'website', 'email'],
};

describeEither('writing organizers', (database) => {
  const fixture = useLinkedPostSite(database, ORGANIZERS);

  declareLinkedPostWrites(fixture, ORGANIZERS);

  it('stores e-mail addresses as plain text without tags', async () => {
    const { make } = fixture();
    expect(await make({ email: ' no <b>address</b> ' })).toMatchObject({ email: 'no address' });
  });

  it('W22: stores the requested status in a meta row', async () => {
    const { make, rows } = fixture();
    const { id } = await make({ status: 'publish', date: '2092-01-01 00:00:00' });
    expect(await rows(id)).toMatchObject({
      'post.post_status': 'future',
      'meta._Organizerpost_status': ['publish'],
    });
  });
});
