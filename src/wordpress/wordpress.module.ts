import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttachmentsService } from './media/attachments.service.js';
import { S3Bucket } from './media/s3/s3-bucket.service.js';
import { Option } from './options/option.entity.js';
import { OptionWriter } from './options/option-writer.js';
import { SettingsService } from './options/settings.service.js';
import { CountCache } from './posts/count-cache.service.js';
import { AttachmentPost, Post, PostMeta, Revision } from './posts/post.entity.js';
import { PostCache } from './posts/post-cache.service.js';
import { PostPasswords } from './posts/post-passwords.service.js';
import { PostVisibility } from './posts/post-visibility.js';
import { PostWriter } from './posts/post-writer.js';
import { PostsService } from './posts/posts.service.js';
import { Cleaning } from './rendering/cleaning.service.js';
import { LongTexts } from './rendering/long-texts.service.js';
import { TextPool } from './rendering/text-pool.js';
import { Term, TermMeta, TermRelationship, TermTaxonomy } from './terms/term.entity.js';
import { TermCache } from './terms/term-cache.service.js';
import { TermVisibility } from './terms/term-visibility.js';
import { TermWriter } from './terms/term-writer.js';
import { TermsService } from './terms/terms.service.js';
import { ContentTypes } from './types/content-types.js';
import { User, UserMeta } from './users/user.entity.js';
import { UsersService } from './users/users.service.js';

const SERVICES = [
  ContentTypes,
  SettingsService,
  OptionWriter,
  CountCache,
  PostsService,
  PostCache,
  PostPasswords,
  PostVisibility,
  PostWriter,
  TermsService,
  TermCache,
  TermVisibility,
  TermWriter,
  UsersService,
  AttachmentsService,
  S3Bucket,
  Cleaning,
  LongTexts,
];

/** Services and entities for WordPress's tables, except the replaceable parts of `PartsModule`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Post,
      Revision,
      AttachmentPost,
      PostMeta,
      Term,
      TermTaxonomy,
      TermRelationship,
      TermMeta,
      Option,
      User,
      UserMeta,
    ]),
  ],
  providers: [...SERVICES, { provide: TextPool, useFactory: () => new TextPool() }],
  exports: SERVICES,
})
export class WordPressModule {}
