import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Access } from '../../auth/access.js';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { CORE_NAMESPACE, OWN_NAMESPACE } from '../../config/env.js';
import type { AllowedMethods } from '../../http/allowed-methods.js';
import { decodePercent } from '../../http/params/php-parameters.js';
import type { RequestContext } from '../../http/request-context.js';
import { RequestContexts } from '../../http/request-contexts.service.js';
import { BATCH_BASE, type RestRequest, restOf } from '../../http/rest-request.js';
import { ImageStore } from '../../wordpress/media/image-store.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermResource } from './resource.js';
import { Resources } from './resources.js';

const UPDATE_METHODS = ['POST', 'PUT', 'PATCH'];

/** Determines the `Allow` header of a resource's routes for a caller. */
@Injectable()
export class ResourceMethods implements AllowedMethods {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly posts: PostsService,
    private readonly resources: Resources,
    private readonly imageStore: ImageStore,
  ) {}

  async header(request: Request): Promise<string | undefined> {
    const rest = restOf(request);
    if (!rest) return undefined;
    if (rest.routeBase === BATCH_BASE) return rest.user ? 'POST' : undefined;
    if (rest.routeBase !== OWN_NAMESPACE) return this.coreMethods(rest, request);
    if (rest.path === '/' || /^\/doc$/i.test(rest.path)) return 'GET';
    const match = /^\/([\w-]+)(?:\/(?:(\d+)|by-slug\/([^/]+)))?$/i.exec(rest.path);
    const resource = this.resources.at(match?.[1]?.toLowerCase() ?? '');
    if (!match || !resource || (resource.kind === 'term' && match[3])) return undefined;
    // Anonymous callers may never write, so nothing is loaded.
    if (!rest.user) return 'GET';
    const context = await this.contexts.of(request);
    const methods =
      resource.kind === 'term'
        ? termMethods(resource.taxonomy, match, context)
        : await this.postMethods(resource.type, match, context);
    return ['GET', ...methods].join(', ');
  }

  /** Of WordPress's own routes only those of terms and files are writable; an OPTIONS handler knows the others itself. */
  private async coreMethods(rest: RestRequest, request: Request): Promise<string | undefined> {
    const match = rest.routeBase === CORE_NAMESPACE ? /^\/([\w-]+)(\/\d+)?\/*$/.exec(rest.path) : null;
    if (match?.[1]?.toLowerCase() === 'media' && rest.user) return this.mediaMethods(match[2], request);
    const kind = this.resources
      .all()
      .find((one) => one.kind === 'term' && one.corePath === match?.[1]?.toLowerCase());
    if (!match || kind?.kind !== 'term' || !rest.user)
      return request.method === 'OPTIONS' ? undefined : 'GET';
    const { access } = await this.contexts.of(request);
    const rights = coreTermRights(kind, access);
    if (match[2]) return ['GET', ...(rights.edit ? UPDATE_METHODS : [])].join(', ');
    return rights.create ? 'GET, POST' : 'GET';
  }

  private async mediaMethods(id: string | undefined, request: Request): Promise<string> {
    const { access } = await this.contexts.of(request);
    if (id === undefined)
      return this.imageStore.isAvailable && access.can('upload_files') ? 'GET, POST' : 'GET';
    const number = Number(id.slice(1));
    const file = Number.isSafeInteger(number) ? await this.posts.find(number) : null;
    if (file?.type !== 'attachment') return 'GET';
    const [edits, deletes] = [access.may('edit', file), access.may('delete', file)];
    return ['GET', ...(edits ? UPDATE_METHODS : []), ...(deletes ? ['DELETE'] : [])].join(', ');
  }

  private async postMethods(
    type: string,
    match: RegExpExecArray,
    { access, loaded }: RequestContext,
  ): Promise<string[]> {
    if (!access.signedIn) return [];
    const mayEdit = access.canOfType('edit', type);
    if (!match[2] && !match[3]) return mayEdit ? ['POST'] : [];
    const id = match[2] ? Number(match[2]) : await this.posts.idBySlug(type, decodePercent(match[3] ?? ''));
    const isId = id !== null && Number.isSafeInteger(id);
    const post = isId ? (loaded.get(id) ?? (await this.posts.find(id))) : null;
    // Recorded: for events, the general right to edit is enough where the id does not exist, and the rights of another
    // type count.
    const isStrict = match[2] !== undefined && type !== EVENT_POST_TYPE;
    if (isStrict && !post) return [];
    const may = {
      edit: post ? access.may('edit', post) : mayEdit,
      delete: post ? access.may('delete', post) : access.canOfType('delete', type),
    };
    const isOther = isStrict && post?.type !== type;
    return [...(may.delete && !isOther ? ['DELETE'] : []), ...(may.edit ? UPDATE_METHODS : [])];
  }
}

function termMethods(taxonomy: string, match: RegExpExecArray, { access }: RequestContext): string[] {
  if (!access.mayManageTerms(taxonomy)) return [];
  return match[2] ? [...UPDATE_METHODS, 'DELETE'] : ['POST'];
}

/**
 * The rights of a caller on a taxonomy's terms in `wp/v2`; anyone who may assign terms of a flat taxonomy may create
 * them, as when editing a post.
 */
export function coreTermRights(
  { hierarchical, capabilities, coreCapability }: TermResource,
  access: Pick<Access, 'can'>,
): { create: boolean; edit: boolean } {
  const edit = access.can(coreCapability ?? capabilities.manage.at(-1) ?? 'manage_categories');
  return { create: edit || (!hierarchical && access.can(capabilities.assign)), edit };
}
