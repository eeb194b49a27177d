import {
  ANONYMOUS,
  type CapabilityUser,
  capabilitiesOf,
  parseRoles,
} from '../../src/wordpress/users/capabilities.js';
import { accessOf } from '../support/content-types.js';
import { loadVectors } from '../support/vectors.js';

const { capabilities } = loadVectors<{
  capabilities: { roles_option_serialised_after_plugin_activation: string };
}>('auth');
const roles = parseRoles(capabilities.roles_option_serialised_after_plugin_activation);
const user = (role: string, id = 7): CapabilityUser => ({
  id,
  capabilities: capabilitiesOf(`a:1:{s:${role.length}:"${role}";b:1;}`, roles),
});
const EVENT = { id: 1, type: 'tribe_events', author: 7, status: 'publish', meta: new Map() };
const HIDDEN = ['trash', 'auto-draft'];

describe('list visibility (R1)', () => {
  it('shows published records to everybody', () => {
    for (const caller of [ANONYMOUS, user('subscriber')])
      for (const requested of [undefined, ['publish'], ['draft']])
        expect(accessOf(caller).visibility('tribe_events', requested)).toEqual({
          anyAuthor: { only: ['publish'] },
        });
  });

  it('shows editors everything except hidden events, and these on request', () => {
    const all = { anyAuthor: { allBut: HIDDEN } };
    for (const type of ['tribe_events', 'tribe_venue', 'tribe_organizer'])
      expect(accessOf(user('editor')).visibility(type)).toEqual(all);
    expect(accessOf(user('editor')).visibility('tribe_events', ['trash'])).toEqual({
      anyAuthor: { only: ['trash'] },
    });
    expect(accessOf(user('editor')).visibility('tribe_events', [])).toEqual({
      anyAuthor: { only: ['publish', 'private'] },
    });
  });

  it('shows authors and contributors unpublished records of their own only', () => {
    for (const caller of [user('author'), user('contributor')]) {
      expect(accessOf(caller).visibility('tribe_venue', ['publish', 'draft', 'private'])).toEqual({
        anyAuthor: { only: ['publish'] },
        own: { authorId: 7, statuses: { only: ['publish', 'draft', 'private'] } },
      });
      expect(accessOf(caller).visibility('tribe_events', ['trash'])).toEqual({
        anyAuthor: { only: [] },
        own: { authorId: 7, statuses: { only: ['trash'] } },
      });
      expect(accessOf(caller).visibility('tribe_events').own).toEqual({
        authorId: 7,
        statuses: { allBut: HIDDEN },
      });
    }
  });

  it('restricts private records to their authors for edit_others without read_private', () => {
    const caller = {
      id: 7,
      capabilities: new Set([
        'read',
        'edit_tribe_events',
        'edit_others_tribe_events',
        'edit_published_tribe_events',
      ]),
    };
    expect(accessOf(caller).visibility('tribe_events', ['draft', 'private'])).toEqual({
      anyAuthor: { only: ['draft'] },
      own: { authorId: 7, statuses: { only: ['draft', 'private'] } },
    });
  });
});

describe('capabilities on posts', () => {
  it('are those of the previous status for an own trashed post', () => {
    const trashed = { ...EVENT, status: 'trash' };
    const published = { ...trashed, meta: new Map([['_wp_trash_meta_status', ['publish']]]) };
    expect(accessOf(user('contributor')).may('edit', trashed)).toBe(true);
    expect(accessOf(user('contributor')).may('edit', published)).toBe(false);
    expect(accessOf(user('author')).may('delete', published)).toBe(true);
  });

  it('treat a post without an author as nobody’s own', () => {
    expect(accessOf(ANONYMOUS).may('read', { ...EVENT, author: 0, status: 'draft' })).toBe(false);
  });

  it('require more for front pages, unknown types and unknown statuses', () => {
    expect(accessOf(user('editor'), [1]).may('edit', EVENT)).toBe(false);
    expect(accessOf(user('administrator'), [1]).may('edit', EVENT)).toBe(true);
    expect(accessOf(user('author')).may('read', { ...EVENT, status: 'unheard-of' })).toBe(false);
    expect(accessOf(user('author')).may('edit', { ...EVENT, type: 'unheard-of' })).toBe(false);
  });

  it('cover terms', () => {
    const may = (role: string) =>
      ['tribe_events_cat', 'post_tag'].map((name) => accessOf(user(role)).mayManageTerms(name));
    expect(['contributor', 'author', 'editor'].map(may)).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    expect(() => accessOf(user('administrator')).mayManageTerms('nav_menu')).toThrow(
      'nav_menu is not registered',
    );
  });

  it('treat no inherited property as a capability or type', () => {
    expect(accessOf(user('administrator')).can('constructor')).toBe(false);
    expect(accessOf(user('author')).may('edit', { ...EVENT, type: 'constructor', status: 'toString' })).toBe(
      false,
    );
  });
});

describe('writing', () => {
  it('gives draft or pending to users who may not publish (W8)', () => {
    const statuses = [undefined, 'publish', 'future', 'draft', 'pending', 'private'] as const;
    const stored = (role: string) =>
      statuses.map((status) => accessOf(user(role)).statusOnWrite('tribe_events', status));
    expect(stored('contributor')).toEqual(['draft', 'pending', 'pending', 'draft', 'pending', 'pending']);
    expect(stored('author')).toEqual(['publish', 'publish', 'future', 'draft', 'pending', 'private']);
  });

  it('requires edit_others for other authors (W7)', () => {
    expect(['author', 'editor'].map((role) => accessOf(user(role)).mayMakeAuthor('tribe_venue', 8))).toEqual([
      false,
      true,
    ]);
    expect(accessOf(user('contributor')).mayMakeAuthor('tribe_venue', 7)).toBe(true);
  });
});
