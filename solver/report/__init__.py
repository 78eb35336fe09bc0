"""What is made to be looked at: charts and the page to walk the tree."""
