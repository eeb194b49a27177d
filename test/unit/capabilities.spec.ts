import {
  ANONYMOUS,
  type CapabilityUser,
  can,
  canManageTerms,
  canOnPost,
} from '../../src/wordpress/users/capabilities.js';
import { listVisibility } from '../../src/wordpress/users/list-visibility.js';
import { grantsOf, parseRoles } from '../../src/wordpress/users/roles.js';
import { mayAssignAuthor, statusOnWrite } from '../../src/wordpress/users/write-policy.js';
import { loadVectors } from '../support/vectors.js';

const { capabilities } = loadVectors<{
  capabilities: { roles_option_serialised_after_plugin_activation: string };
}>('auth');
const roles = parseRoles(capabilities.roles_option_serialised_after_plugin_activation);
const user = (role: string, id = 7): CapabilityUser => ({
  id,
  capabilities: grantsOf(`a:1:{s:${role.length}:"${role}";b:1;}`, roles).capabilities,
});
const HIDDEN = ['trash', 'auto-draft'];

describe('list visibility (R1)', () => {
  it('everybody sees what is published', () => {
    for (const caller of [ANONYMOUS, user('subscriber')])
      for (const requested of [undefined, ['publish'], ['draft']])
        expect(listVisibility(caller, 'tribe_events', requested)).toEqual({
          everybodys: { only: ['publish'] },
        });
  });

  it('editors see all but what is hidden, and that on request', () => {
    const all = { everybodys: { allBut: HIDDEN } };
    for (const type of ['tribe_events', 'tribe_venue', 'tribe_organizer'])
      expect(listVisibility(user('editor'), type)).toEqual(all);
    expect(listVisibility(user('editor'), 'tribe_events', ['trash'])).toEqual({
      everybodys: { only: ['trash'] },
    });
    expect(listVisibility(user('editor'), 'tribe_events', [])).toEqual({
      everybodys: { only: ['publish', 'private'] },
    });
  });

  it('authors and contributors see the rest of their own only', () => {
    for (const caller of [user('author'), user('contributor')]) {
      expect(listVisibility(caller, 'tribe_venue', ['publish', 'draft', 'private'])).toEqual({
        everybodys: { only: ['publish'] },
        own: { authorId: 7, statuses: { only: ['publish', 'draft', 'private'] } },
      });
      expect(listVisibility(caller, 'tribe_events', ['trash'])).toEqual({
        everybodys: { only: [] },
        own: { authorId: 7, statuses: { only: ['trash'] } },
      });
      expect(listVisibility(caller, 'tribe_events').own).toEqual({
        authorId: 7,
        statuses: { allBut: HIDDEN },
      });
    }
  });

  it('edit_others without read_private leaves private ones to their authors', () => {
    const caller = {
      id: 7,
      capabilities: new Set([
        'read',
        'edit_tribe_events',
        'edit_others_tribe_events',
        'edit_published_tribe_events',
      ]),
    };
    expect(listVisibility(caller, 'tribe_events', ['draft', 'private'])).toEqual({
      everybodys: { only: ['draft'] },
      own: { authorId: 7, statuses: { only: ['draft', 'private'] } },
    });
  });
});

describe('rights on posts', () => {
  it('a trashed post of one’s own counts as what it was', () => {
    const trashed = { type: 'tribe_events', authorId: 7, status: 'trash' };
    expect(canOnPost(user('contributor'), 'edit', trashed)).toBe(true);
    expect(canOnPost(user('contributor'), 'edit', { ...trashed, statusBeforeTrash: 'publish' })).toBe(false);
    expect(canOnPost(user('author'), 'delete', { ...trashed, statusBeforeTrash: 'publish' })).toBe(true);
  });

  it('nobody owns what has no author', () => {
    expect(canOnPost(ANONYMOUS, 'read', { type: 'tribe_events', authorId: 0, status: 'draft' })).toBe(false);
  });

  it('front pages, unknown types and unknown statuses need more', () => {
    const post = { type: 'tribe_events', authorId: 7, status: 'publish' };
    expect(canOnPost(user('editor'), 'edit', { ...post, isSitePage: true })).toBe(false);
    expect(canOnPost(user('administrator'), 'edit', { ...post, isSitePage: true })).toBe(true);
    expect(canOnPost(user('author'), 'read', { ...post, status: 'unheard-of' })).toBe(false);
    expect(canOnPost(user('author'), 'edit', { ...post, type: 'unheard-of' })).toBe(false);
  });

  it('terms', () => {
    const may = (role: string) =>
      ['tribe_events_cat', 'post_tag'].map((name) => canManageTerms(user(role), name));
    expect(['contributor', 'author', 'editor'].map(may)).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ]);
    expect(canManageTerms(user('administrator'), 'nav_menu')).toBe(false);
  });

  it('knows no inherited property as a capability or type', () => {
    expect(can(user('administrator'), 'constructor')).toBe(false);
    expect(canOnPost(user('author'), 'edit', { type: 'constructor', authorId: 7, status: 'toString' })).toBe(
      false,
    );
  });
});

describe('writing', () => {
  it('who may not publish gets draft or pending (W8)', () => {
    const statuses = [undefined, 'publish', 'future', 'draft', 'pending', 'private'] as const;
    const stored = (role: string) =>
      statuses.map((status) => statusOnWrite(user(role), 'tribe_events', status));
    expect(stored('contributor')).toEqual(['draft', 'pending', 'pending', 'draft', 'pending', 'pending']);
    expect(stored('author')).toEqual(['publish', 'publish', 'future', 'draft', 'pending', 'private']);
  });

  it('other authors need edit_others (W7)', () => {
    expect(['author', 'editor'].map((role) => mayAssignAuthor(user(role), 'tribe_venue', 8))).toEqual([
      false,
      true,
    ]);
    expect(mayAssignAuthor(user('contributor'), 'tribe_venue', 7)).toBe(true);
  });
});
