import { Module } from '@nestjs/common';
import { CompanyLoginStrategy } from './company-login.strategy.js';

@Module({ providers: [CompanyLoginStrategy] })
export default class CompanyLoginModule {}
