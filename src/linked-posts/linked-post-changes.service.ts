import { Injectable } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { Answer } from '../http/answer.js';
import { withImages } from '../http/image-arg.js';
import type { RequestContext } from '../http/request-context.js';
import { forbidden, invalidParameters, RestError } from '../http/rest-error.js';
import { cleaningRights } from '../http/write-site.js';
import { ImageImport } from '../wordpress/media/image-import.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { Cleaning } from '../wordpress/rendering/cleaning.service.js';
import { type LinkedPostFields, textsToClean } from './linked-post-fields.js';
import type { LinkedPostType } from './linked-post-type.js';
import { LinkedPostWriter } from './linked-post-writer.js';
import { LinkedPostsService, type ToResponse } from './linked-posts.service.js';

/** Creates, updates and deletes venues and organizers: who may, in one transaction, answered through the read path. */
@Injectable()
export class LinkedPostChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly posts: PostsService,
    private readonly writer: LinkedPostWriter,
    private readonly linkedPosts: LinkedPostsService,
    private readonly images: ImageImport,
    private readonly cleaning: Cleaning,
    private readonly env: Environment,
  ) {}

  /** Creates a record, or finds the one of that name: 201 both times, as recorded. */
  async create(
    kind: LinkedPostType,
    toResponse: ToResponse,
    fields: LinkedPostFields,
    context: RequestContext,
  ): Promise<Answer> {
    if (!context.access.canOfType('edit', kind.type))
      throw forbidden(context.access.signedIn, `You may not create ${kind.many}.`);
    const write = await this.prepared(fields, context);
    const id = await withImages(this.images, [fields.image], context, (storeImage) =>
      this.transactions.run(async (transaction) => {
        const imageId = await storeImage(transaction, fields.image);
        return this.writer.findOrCreate(transaction, kind, { ...fields, imageId }, write);
      }),
    );
    return new Answer(await this.linkedPosts.represent(kind, toResponse, id, context), 201);
  }

  /** Updates the record that the path names; an unknown id is a parameter that is not valid, whoever asks. */
  async update(
    kind: LinkedPostType,
    toResponse: ToResponse,
    id: number,
    fields: LinkedPostFields,
    context: RequestContext,
  ): Promise<Answer> {
    await this.writable(kind, id, 'edit', context);
    const write = await this.prepared(fields, context);
    await withImages(this.images, [fields.image], context, (storeImage) =>
      this.transactions.run(async (transaction) => {
        const post = await this.writable(kind, id, 'edit', context, transaction);
        const imageId = await storeImage(transaction, fields.image);
        await this.writer.update(transaction, kind, post, { ...fields, imageId }, write);
      }),
    );
    return new Answer(await this.linkedPosts.represent(kind, toResponse, id, context));
  }

  /** The same by slug, with the same checks of the record (W5). */
  async updateBySlug(
    kind: LinkedPostType,
    toResponse: ToResponse,
    slug: string,
    fields: LinkedPostFields,
    context: RequestContext,
  ): Promise<Answer> {
    return this.update(kind, toResponse, await this.idBySlug(kind, slug), fields, context);
  }

  /** Trashes the record, 410 when it is in the trash already; without a trash it is deleted and the answer is empty. */
  async remove(
    kind: LinkedPostType,
    toResponse: ToResponse,
    id: number,
    context: RequestContext,
  ): Promise<Answer> {
    await this.writable(kind, id, 'delete', context);
    const keeps = this.env.emptyTrashDays > 0;
    await this.transactions.run(async (transaction) => {
      const post = await this.writable(kind, id, 'delete', context, transaction);
      if (post.status === 'trash')
        throw new RestError(`${kind.one}-is-in-trash`, 410, `The ${kind.one} is in the trash already.`);
      if (keeps) await this.writer.trash(transaction, kind, post, context);
      else await this.writer.remove(transaction, kind, post, context);
    });
    return new Answer(keeps ? await this.linkedPosts.represent(kind, toResponse, id, context) : []);
  }

  /** The same by slug. */
  async removeBySlug(
    kind: LinkedPostType,
    toResponse: ToResponse,
    slug: string,
    context: RequestContext,
  ): Promise<Answer> {
    return this.remove(kind, toResponse, await this.idBySlug(kind, slug), context);
  }

  private async prepared(fields: LinkedPostFields, context: RequestContext): Promise<RequestContext> {
    const cleaner = await this.cleaning.prepare(context, cleaningRights(context), textsToClean(fields));
    return { ...context, cleaner };
  }

  /** Asked twice: before the turn to write, so that who may not write holds nobody up, and again when it has come. */
  private async writable(
    kind: LinkedPostType,
    id: number,
    operation: 'edit' | 'delete',
    { access }: RequestContext,
    transaction?: Transaction,
  ): Promise<PostRecord> {
    const post = await this.posts.find(id, transaction?.manager);
    if (post?.type !== kind.type)
      throw invalidParameters([{ name: 'id', message: `id is not the id of an existing ${kind.one}.` }]);
    if (!access.may(operation, post))
      throw forbidden(access.signedIn, `You may not ${operation} this ${kind.one}.`);
    return post;
  }

  private async idBySlug(kind: LinkedPostType, slug: string): Promise<number> {
    const id = await this.posts.idBySlug(kind.type, slug);
    if (id === null) throw invalidParameters([{ name: 'slug', message: `slug names no ${kind.one}.` }]);
    return id;
  }
}
