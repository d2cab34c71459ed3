/** Lets `style` carry custom properties with a type. */
declare module "react" {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}

export {};
