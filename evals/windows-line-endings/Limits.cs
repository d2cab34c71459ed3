using System;

namespace Shop
{
    public static class Limits
    {
        public const int MaxItems = 50;
        public const int MaxUsers = 50;
        public static readonly TimeSpan Wait = TimeSpan.FromSeconds(5);
    }
}
