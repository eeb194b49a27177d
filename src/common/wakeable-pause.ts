/** A pause that ends early when it is woken; a wake since the last pause or `reset` counts, too. */
export class WakeablePause {
  private woken = false;
  private end: () => void = () => undefined;

  get isWoken(): boolean {
    return this.woken;
  }

  wake(): void {
    this.woken = true;
    this.end();
  }

  /** Forgets earlier wakes. */
  reset(): void {
    this.woken = false;
  }

  /** Waits so many milliseconds, or until it is woken; does not keep the process alive. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.woken)
      await new Promise<void>((resolve) => {
        // Node warns of a time that has passed.
        const timer = setTimeout(resolve, Math.max(0, milliseconds)).unref();
        this.end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.woken = false;
  }
}
