"""What only Verdigris has, a module for each chapter."""
