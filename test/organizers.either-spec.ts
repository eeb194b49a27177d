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
  const ground = useLinkedPostSite(database, ORGANIZERS);

  declareLinkedPostWrites(ground, ORGANIZERS);

  it('e-mail addresses are texts, stored plain', async () => {
    const { make } = ground();
    expect(await make({ email: ' no <b>address</b> ' })).toMatchObject({ email: 'no address' });
  });

  it('W22: the status goes into a row of its own, as it was asked for', async () => {
    const { make, rows } = ground();
    const { id } = await make({ status: 'publish', date: '2092-01-01 00:00:00' });
    expect(await rows(id)).toMatchObject({
      'post.post_status': 'future',
      'meta._Organizerpost_status': ['publish'],
    });
  });
});
