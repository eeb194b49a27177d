import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { HomeController } from './home.controller.js';

/** The page at `/`. */
@Module({ imports: [WordPressModule], controllers: [HomeController] })
export class HomeModule {}
