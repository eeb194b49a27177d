import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Access } from '../auth/access.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { decodePercent } from './php-parameters.js';
import { restOf } from './rest-request.js';

/** What a resource's routes stand for, as far as rights go. */
type Resource = { kind: 'post'; type: string; base: string } | { kind: 'term'; taxonomy: string };

const RESOURCES: Readonly<Record<string, Resource>> = {
  events: { kind: 'post', type: 'tribe_events', base: 'tribe_events' },
  venues: { kind: 'post', type: 'tribe_venue', base: 'tribe_venues' },
  organizers: { kind: 'post', type: 'tribe_organizer', base: 'tribe_organizers' },
  categories: { kind: 'term', taxonomy: 'tribe_events_cat' },
  tags: { kind: 'term', taxonomy: 'post_tag' },
};

const UPDATE = ['POST', 'PUT', 'PATCH'];

/**
 * The `Allow` header: the methods of a route that this caller may use on this record
 * (docs/behaviour/answers.md#headers).
 */
@Injectable()
export class AllowedMethods {
  constructor(
    private readonly settings: SettingsService,
    private readonly posts: PostsService,
  ) {}

  /** The header's text; undefined where no route matches. */
  async header(request: Request): Promise<string | undefined> {
    const rest = restOf(request);
    if (!rest) return undefined;
    const match = /^\/(\w+)(?:\/(?:(\d+)|by-slug\/([^/]+)))?$/i.exec(rest.path);
    if (rest.path === '/' || /^\/doc$/i.test(rest.path)) return 'GET';
    const resource = RESOURCES[match?.[1]?.toLowerCase() ?? ''];
    if (!match || !resource || (resource.kind === 'term' && match[3])) return undefined;
    // Nobody may write without signing in, so nothing need be looked up.
    if (!rest.user) return 'GET';
    const access = new Access(rest.user, await this.settings.current());
    const methods =
      resource.kind === 'term'
        ? this.ofTerm(resource, match, access)
        : await this.ofPost(resource, match, access);
    return ['GET', ...methods].join(', ');
  }

  private ofTerm(
    { taxonomy }: Resource & { kind: 'term' },
    match: RegExpExecArray,
    access: Access,
  ): string[] {
    if (!access.mayManageTerms(taxonomy)) return [];
    return match[2] ? [...UPDATE, 'DELETE'] : ['POST'];
  }

  private async ofPost({ type, base }: Resource & { kind: 'post' }, match: RegExpExecArray, access: Access) {
    const mayEdit = access.can(`edit_${base}`);
    if (!match[2] && !match[3]) return mayEdit ? ['POST'] : [];
    const id = match[2] ? Number(match[2]) : await this.posts.idBySlug(type, decodePercent(match[3] ?? ''));
    const post = id !== null && Number.isSafeInteger(id) ? await this.posts.find(id) : null;
    const may = {
      edit: post ? access.may('edit', post) : mayEdit,
      delete: post ? access.may('delete', post) : access.can(`delete_${base}`),
    };
    return [...(may.delete ? ['DELETE'] : []), ...(may.edit ? UPDATE : [])];
  }
}
