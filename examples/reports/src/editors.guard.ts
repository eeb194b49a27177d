import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { forbidden, RequestContexts } from 'almanac';

/** Lets in who may edit everybody's events. */
@Injectable()
export class EditorsGuard implements CanActivate {
  constructor(private readonly contexts: RequestContexts) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const { access } = await this.contexts.of(execution.switchToHttp().getRequest());
    if (access.can('edit_others_tribe_events')) return true;
    throw forbidden('Reports are for editors.', 'reports_forbidden');
  }
}
